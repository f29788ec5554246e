import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { checkConnection, connectDatabase } from './index.ts';

const CALLED = 'The database of DATABASE_URL';

async function contact(url: string): Promise<void> {
  const sql = connectDatabase(url, { poolSize: 1, applicationName: 'tests' });
  try {
    await checkConnection(sql, CALLED);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A proxy in front of the real server that treats the first connections differently. Returns its address and the number of connections. */
async function gateTo(url: string, first: ((client: Socket) => void)[]) {
  const { hostname, port } = new URL(url);
  let came = 0;
  const sockets: Socket[] = [];
  const gate = createServer((client) => {
    sockets.push(client.on('error', () => undefined));
    const meet = first[came];
    came += 1;
    if (meet !== undefined) return meet(client);
    const server = connect(Number(port), hostname);
    sockets.push(server.on('error', () => undefined));
    client.pipe(server).pipe(client);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    gate.close();
  });
  const here = Object.assign(new URL(url), { host: `127.0.0.1:${(gate.address() as AddressInfo).port}` });
  return { url: here.href, came: () => came };
}

/** The error that a server sends before authentication. */
function refuse(code: string, message: string): (client: Socket) => void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return (client) => client.once('data', () => client.end(Buffer.concat([head, fields])));
}

describe('first contact', () => {
  it.each([
    ['a closed port', 'postgres://u@127.0.0.1:1/db', /ECONNREFUSED/],
    ['a closed port on every address of a name', 'postgres://u@localhost:1/db', /ECONNREFUSED/],
    ['a name that does not exist', 'postgres://u@no.such.host.invalid/db', /no\.such\.host\.invalid/],
  ])('with %s says whose fault it is', async (_what, url, reason) => {
    const failed = contact(url);
    await expect(failed).rejects.toThrow(/^The database of DATABASE_URL cannot be used: ./);
    await expect(failed).rejects.toThrow(reason);
  });

  it('waits for a server that is starting up, or too busy to answer', async () => {
    const { url } = await testDatabase();
    const starting = refuse('57P03', 'the database system is starting up');
    const gate = await gateTo(url, [starting, () => undefined, starting]);
    await contact(gate.url);
    expect(gate.came()).toBe(4);
  });

  it('does not retry after a permanent error', async () => {
    const { url } = await testDatabase();
    const gate = await gateTo(url, [refuse('28P01', 'password authentication failed for user "u"')]);
    await expect(contact(gate.url)).rejects.toThrow(`${CALLED} cannot be used: password authentication failed`);
    expect(gate.came()).toBe(1);
  });
});
