import { Agent, request } from 'node:http';
import { patienceMs } from '../harness/patience.ts';
import type { FuzzRequest } from './arbitrary-request.ts';

export type FuzzAnswer = { status: number; contentType: string; text: string };

const HANG_MS = patienceMs();
const STREAM_MS = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends the address as it is: a URL class would tidy up what is to be tried. */
export function send(
  baseUrl: string,
  { method, path, headers, body }: FuzzRequest,
  token: string,
): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(baseUrl);
  // Node announces the length of a body by itself, but not that of a DELETE.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, method, path, headers: { authorization: `Bearer ${token}`, ...length, ...headers } },
      (response) => {
        const status = response.statusCode ?? 0;
        const contentType = response.headers['content-type'] ?? '';
        let text = '';
        const finish = () => {
          clearTimeout(timer);
          resolve({ status, contentType, text });
        };
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', finish).on('error', finish);
        if (contentType.startsWith('text/event-stream')) {
          setTimeout(() => {
            finish();
            response.destroy();
          }, STREAM_MS);
        }
      },
    );
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${HANG_MS} ms`));
      outgoing.destroy();
    }, HANG_MS);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
