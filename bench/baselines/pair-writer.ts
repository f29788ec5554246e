import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { PAIR_STATEMENT } from '../all-in/minimal-pair.ts';
import { runLoop } from '../frame/run-loop.ts';

/** What pgbench does where there is none: one prepared statement per transaction, one in flight on each connection. */
const { DATABASE_URL = '', CLIENTS = '16' } = process.env;
const clients = Array.from({ length: Number(CLIENTS) }, () => new pg.Client({ connectionString: DATABASE_URL }));
await Promise.all(clients.map((client) => client.connect()));

const idle = [...clients];

async function writePair(index: number): Promise<void> {
  const client = idle.pop();
  if (client === undefined) throw new Error('every client is busy');
  await client.query({ name: 'pair', text: PAIR_STATEMENT, values: [100 + (index % 99_900)] });
  idle.push(client);
}

const control = http.createServer(async (request, response) => {
  const seconds = Number(new URL(request.url ?? '', 'http://baseline').searchParams.get('seconds'));
  response.end(JSON.stringify(await runLoop({ width: clients.length, seconds }, writePair)));
});
control.listen(0, '127.0.0.1', () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(control.address() as AddressInfo).port}` });
});
