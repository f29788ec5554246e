import type { Dispatcher } from 'undici';
import type { Lease } from './connection-pools.ts';
import type { Deadline } from './deadline.ts';
import { failureWords, TIMEOUT } from './failure-words.ts';

export type Message = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers: string[];
  body: string | Buffer | null;
};

export type Answer = {
  statusCode: number | undefined;
  error: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** A byte of the request may have been sent: the receiver may have processed it. */
  mayHaveArrived: boolean;
  /** No byte of the request was sent, and another address may work. */
  mayTryElsewhere: boolean;
};

export const RESPONSE_TOO_LARGE = 'response too large';

const EMPTY = Buffer.alloc(0);

const NO_HEADERS = {};

type Limits = {
  deadline: Deadline;
  maxResponseBytes: number;
  /** Treats a body that is too large as an error instead of truncating it. */
  isWholeBodyWanted: boolean;
  connectTimeoutMs: number | undefined;
};

/**
 * One request over a leased connection, until the response ends or the deadline passes. Uses undici's dispatch handler:
 * `request()` would wrap every body in a stream, of which only a few bytes are needed.
 */
export function exchange(lease: Lease, message: Message, limits: Limits): Promise<Answer> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let statusCode: number | undefined;
    let headers: Answer['headers'] = NO_HEADERS;
    let hasBegun = false;
    const body = collectBytes(limits.maxResponseBytes);
    let receivedBytes = 0;

    const connectTimer =
      limits.connectTimeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            if (controller === undefined) settle(TIMEOUT, true);
          }, limits.connectTimeoutMs);

    // Aborting drops the socket. A request still waiting for a connection has no controller yet; onRequestStart aborts it
    // before anything is written.
    const forget = limits.deadline.onStop((reason) => {
      settle(reason, false);
      controller?.abort(new Error(reason));
    });

    function settle(error: string | undefined, mayTryElsewhere: boolean): void {
      if (settled) return;
      settled = true;
      clearTimeout(connectTimer);
      forget();
      lease.release();
      resolve({ statusCode, error, headers, body: body.bytes(), mayHaveArrived: hasBegun, mayTryElsewhere });
    }

    lease.dispatcher.dispatch(
      { method: message.method, path: message.path, headers: message.headers, body: message.body },
      {
        onRequestStart(started) {
          controller = started;
          // undici writes the request after this callback, unless it is aborted here.
          if (settled) started.abort(new Error('too late'));
          else hasBegun = true;
        },
        onResponseStart(_started, status, received) {
          if (status < 200) return;
          statusCode = status;
          headers = received;
        },
        onResponseData(started, chunk) {
          const remainingBytes = limits.maxResponseBytes - receivedBytes;
          receivedBytes += chunk.length;
          if (remainingBytes > 0) body.add(chunk.subarray(0, remainingBytes));
          if (receivedBytes > limits.maxResponseBytes) {
            settle(limits.isWholeBodyWanted ? RESPONSE_TOO_LARGE : undefined, false);
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

/**
 * The received bytes in one growing buffer. A list of chunks was rejected: four megabytes sent a byte at a time would be
 * four million objects, a hundred times the size of the data.
 */
function collectBytes(maxBytes: number): { add(piece: Buffer): void; bytes(): Buffer } {
  let store: Buffer = EMPTY;
  let size = 0;
  return {
    add(piece) {
      if (size === 0) {
        store = piece;
      } else {
        const needed = size + piece.length;
        if (needed > store.length) {
          const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * needed, maxBytes)));
          store.copy(larger, 0, 0, size);
          store = larger;
        }
        piece.copy(store, size);
      }
      size += piece.length;
    },
    bytes: () => store.subarray(0, size),
  };
}
