import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { Pool } from 'undici';
import { runLoop } from '../frame/run-loop.ts';

/** The least that Node can do for a webhook: bodies signed beforehand, posted over kept connections as fast as they go. */
type Letter = { body: string; headers: Record<string, string> };

// The baseline at its best: V8 throws away the compiled code of a process that has stood idle while others were measured.
setFlagsFromString('--no-flush-bytecode');

const { TARGET = '', TLS_CA = '', LETTERS = '' } = process.env;
const WIDTH = 64;
const WARM_UP_SECONDS = 2;
const letters = JSON.parse(readFileSync(LETTERS, 'utf8')) as Letter[];
const { origin, pathname } = new URL(TARGET);
const pool = new Pool(origin, { connections: WIDTH, pipelining: 1, allowH2: false, connect: { ca: TLS_CA } });

async function post(index: number): Promise<void> {
  const letter = letters[index % letters.length];
  if (letter === undefined) throw new Error('there is nothing to post');
  const { statusCode, body } = await pool.request({ method: 'POST', path: pathname, ...letter });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
}

const control = http.createServer(async (request, response) => {
  const seconds = Number(new URL(request.url ?? '', 'http://baseline').searchParams.get('seconds'));
  // Its connections were closed meanwhile.
  await runLoop({ width: WIDTH, seconds: WARM_UP_SECONDS }, post);
  const cpuBefore = process.cpuUsage();
  const sample = await runLoop({ width: WIDTH, seconds }, post);
  const { user, system } = process.cpuUsage(cpuBefore);
  response.end(JSON.stringify({ ...sample, serverCpuUs: (user + system) / sample.count }));
});
control.listen(0, '127.0.0.1', () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(control.address() as AddressInfo).port}` });
});
