import { expect, it } from 'vitest';
import { exchange, openSocket, readAnswer, testService } from '../../../test/harness/index.ts';

const { baseUrl, sql } = await testService({ DUKKAN_ROLES: 'api' });

const LEAD = JSON.stringify({ name: 'Sara', email: 'sara@example.com' });
const head = (length: number, contentType = 'application/json') =>
  `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n`;
// More than the buffers between the two take in: some of it is always on its way when the answer is given.
const BODY = Buffer.alloc(16_000_000, ' ');

it.each([
  ['is too large', 'application/json', 413],
  ['is of a wrong type', 'text/plain', 400],
])('a client that sends a whole body that %s before reading gets the response', async (_what, contentType, status) => {
  const socket = await openSocket(baseUrl);
  const { promise: isSent, resolve, reject } = Promise.withResolvers<void>();
  socket.write(head(BODY.length, contentType));
  socket.write(BODY, (error) => (error ? reject(error) : resolve()));
  await isSent;
  expect((await readAnswer(socket)).status).toBe(status);
});

it('what comes behind a refused body is not done', async () => {
  const socket = await openSocket(baseUrl);
  socket.on('error', () => undefined).resume();
  socket.write(head(BODY.length));
  socket.write(BODY);
  socket.end(head(LEAD.length) + LEAD);
  await new Promise((resolve) => socket.once('close', resolve));
  // By the time that a later one is stored, it would be too.
  expect((await exchange(baseUrl, head(LEAD.length) + LEAD)).status).toBe(200);
  expect(await sql`select count(*)::int from leads`).toEqual([{ count: 1 }]);
});
