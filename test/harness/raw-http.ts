import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { patienceMs } from './patience.ts';

export type RawAnswer = { status: number; head: string; body: string };

/** Bytes as they are, for what no well-behaved client would send. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Sends and reads until the answer is complete or the other side closes. */
export async function exchange(baseUrl: string, bytes: string | Buffer, timeoutMs = patienceMs()): Promise<RawAnswer> {
  const socket = await openSocket(baseUrl);
  socket.write(bytes);
  try {
    return await readAnswer(socket, timeoutMs);
  } finally {
    socket.destroy();
  }
}

export function readAnswer(socket: Socket, timeoutMs = patienceMs()): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => finish(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const finish = (outcome: RawAnswer | Error) => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received, false);
      if (answer !== undefined) finish(answer);
    };
    const onEnd = () => finish(parse(received, true) ?? new Error(`closed after ${received.length} bytes`));
    socket.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd);
  });
}

function parse(received: Buffer, ended: boolean): RawAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.subarray(0, headEnd).toString('latin1');
  const body = received.subarray(headEnd + 4);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const chunkedEnd = /^transfer-encoding: *chunked/im.test(head) && body.includes('0\r\n\r\n');
  if (!ended && !chunkedEnd && (length === undefined || body.length < Number(length))) return undefined;
  return { status: Number(head.slice(9, 12)), head, body: body.toString('utf8') };
}
