import type { Dispatcher } from 'undici';
import type { Lease } from './connection-pools.ts';
import type { Deadline } from './deadline.ts';
import { failureWords, TIMEOUT } from './failure-words.ts';

export type Message = { path: string; headers: string[]; body: string | Buffer };

export type Answer = {
  statusCode: number | undefined;
  error: string | undefined;
  retryAfter: string | string[] | undefined;
  body: Buffer;
  /** No byte of the request has left, and another address may do better. */
  mayTryElsewhere: boolean;
};

const EMPTY = Buffer.alloc(0);

type Limits = { deadline: Deadline; maxResponseBytes: number; giveUpConnectingAfterMs: number | undefined };

/**
 * One request over a leased connection, down to the end of the response or the end of the time. Written against
 * undici's dispatch handler: `request()` would wrap every body in a stream, of which only a few bytes are wanted.
 */
export function exchange(lease: Lease, message: Message, limits: Limits): Promise<Answer> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let statusCode: number | undefined;
    let retryAfter: string | string[] | undefined;
    const chunks: Buffer[] = [];
    let receivedBytes = 0;

    const patience =
      limits.giveUpConnectingAfterMs === undefined
        ? undefined
        : setTimeout(() => {
            if (controller === undefined) settle(TIMEOUT, true);
          }, limits.giveUpConnectingAfterMs);

    // Aborting drops the socket. A request still waiting for one has no controller yet; it is turned away in
    // onRequestStart, before anything is written.
    const forget = limits.deadline.onStop((reason) => {
      settle(reason, false);
      controller?.abort(new Error(reason));
    });

    function settle(error: string | undefined, mayTryElsewhere: boolean): void {
      if (settled) return;
      settled = true;
      clearTimeout(patience);
      forget();
      lease.release();
      const [only = EMPTY] = chunks;
      const body = chunks.length > 1 ? Buffer.concat(chunks) : only;
      resolve({ statusCode, error, retryAfter, body, mayTryElsewhere });
    }

    lease.dispatcher.dispatch(
      { method: 'POST', path: message.path, headers: message.headers, body: message.body },
      {
        onRequestStart(started) {
          controller = started;
          if (settled) started.abort(new Error('too late'));
        },
        onResponseStart(_started, status, headers) {
          if (status < 200) return;
          statusCode = status;
          retryAfter = headers['retry-after'];
        },
        onResponseData(started, chunk) {
          const roomBytes = limits.maxResponseBytes - receivedBytes;
          receivedBytes += chunk.length;
          if (roomBytes > 0) chunks.push(chunk.subarray(0, roomBytes));
          if (receivedBytes > limits.maxResponseBytes) {
            settle(undefined, false);
            started.abort(new Error('response cut'));
          }
        },
        onResponseEnd() {
          settle(undefined, false);
        },
        onResponseError(_started, error) {
          const words = failureWords(error);
          settle(words, lease.failedToConnect(error) && !words.startsWith('tls: '));
        },
      },
    );
  });
}
