import type { IncomingMessage } from 'node:http';
import { type CappedCounter, createCappedCounter, type Limit } from '../fair-limiter/index.ts';
import { discardBody, freeChunk } from './discard-body.ts';
import { badRequest, Problem, tooLarge, tooManyRequests, unavailable } from './problem.ts';

/** A tenant, or the network address of an unauthenticated client. */
export type Sender = { tenant: string } | { address: string };

export type BodyLimits = {
  /** Bodies of tenants being received at once, and their bytes in memory. One tenant may have half of each. */
  tenants: { bodies: number; bytes: number };
  /** The same for unauthenticated clients, counted apart from tenants. One address may have an eighth. */
  unauthenticated: { bodies: number; bytes: number };
  firstBytesWithinMs: number;
  /** After this, a body must arrive at `minBytesPerSecond` on average. */
  graceMs: number;
  minBytesPerSecond: number;
  checkEveryMs: number;
};

// A thousand orders of 2 kB at once are 2 MB; four bulk bodies of 32 MB use up the bytes of tenants. A phone on a bad connection
// sends 2 kB a second.
const LIMITS: BodyLimits = {
  tenants: { bodies: 1_000, bytes: 128 * 1024 * 1024 },
  unauthenticated: { bodies: 1_000, bytes: 32 * 1024 * 1024 },
  firstBytesWithinMs: 5_000,
  graceMs: 10_000,
  minBytesPerSecond: 1_024,
  checkEveryMs: 1_000,
};

const FIRST_BUFFER_BYTES = 16 * 1024;
const RETRY_AFTER_MS = 1_000;

/** A body that counts against its sender until its request has ended. */
export type HeldBody = { release(): void };

export type BodyReader = {
  /** Reads a body into memory. */
  read(
    source: IncomingMessage,
    sender: Sender,
    limitBytes: number,
    done: (refused: Problem | undefined, bytes: Buffer) => void,
  ): HeldBody;
  /** For a body that its handler reads, such as a form: enforces only the minimum speed. */
  watch(source: IncomingMessage, sender: Sender, tooSlow: () => void): HeldBody | Problem;
  /** Bytes of request bodies in memory now. */
  bufferedBytes(): number;
  stop(): void;
};

type InincomingBody = { startedMs: number; received(): number; tooSlow(): void };

/**
 * Reads request bodies. While its body is being received a request costs a socket and the bytes received, not a slot of those in
 * progress. Both are limited, in total and per sender. Slow senders are disconnected: Node's own limit, two minutes for the whole
 * request, would allow a thousand silent sockets.
 */
export function createBodyReader(changes: Partial<BodyLimits> = {}): BodyReader {
  const limits = { ...LIMITS, ...changes };
  const tenants = countersOf(limits.tenants, 2);
  const unauthenticated = countersOf(limits.unauthenticated, 8);
  const incoming = new Set<InincomingBody>();

  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const body of incoming) {
      const received = body.received();
      const allowedMs =
        received === 0 ? limits.firstBytesWithinMs : limits.graceMs + (received / limits.minBytesPerSecond) * 1000;
      if (nowMs - body.startedMs > allowedMs) body.tooSlow();
    }
  }, limits.checkEveryMs);
  timer.unref();

  function accountOf(sender: Sender) {
    const isTenant = 'tenant' in sender;
    const key = { tenant: isTenant ? sender.tenant : sender.address };
    const { bodies, bytes, maxPerSender } = isTenant ? tenants : unauthenticated;
    const problem = (limit: Limit | undefined) => {
      if (limit === undefined) return undefined;
      return limit === 'tenant limit'
        ? tooManyRequests(maxPerSender, RETRY_AFTER_MS)
        : unavailable('Too many request bodies are being received');
    };
    let takenBytes = 0;
    let isOpen = false;
    return {
      open() {
        const limit = bodies.tryTake(key);
        isOpen = limit === undefined;
        return problem(limit);
      },
      wouldRefuse: (count: number) => problem(bytes.limitReached(key, count)),
      add(count: number) {
        const limit = bytes.tryTake(key, count);
        if (limit === undefined) takenBytes += count;
        return problem(limit);
      },
      /** The body is complete or aborted. Its bytes stay in memory until `release`. */
      close() {
        if (isOpen) bodies.give(key);
        isOpen = false;
      },
      release() {
        if (takenBytes > 0) bytes.give(key, takenBytes);
        takenBytes = 0;
      },
    };
  }

  return {
    read(source, sender, limitBytes, done) {
      const account = accountOf(sender);
      const announced = Number(source.headers['content-length'] ?? Number.NaN);
      let buffer: Buffer = Buffer.alloc(0);
      let length = 0;
      const body: InincomingBody = {
        startedMs: performance.now(),
        received: () => length,
        tooSlow: () => finish(new Problem(408, 'Request timeout', 'The request body came too slowly')),
      };
      const heldBody = {
        release() {
          account.close();
          account.release();
        },
      };

      function finish(refused: Problem | undefined): void {
        source.off('data', take).off('end', complete).off('error', cutOff).off('close', cutOff);
        incoming.delete(body);
        account.close();
        // The rest is discarded; the response closes the connection.
        if (refused !== undefined) {
          buffer = Buffer.alloc(0);
          length = 0;
          discardBody(source);
          account.release();
        }
        done(refused, buffer.subarray(0, length));
      }
      function take(chunk: Buffer): void {
        const size = chunk.length;
        const refused = length + size > limitBytes ? tooLarge('The request body is too large') : account.add(size);
        if (refused !== undefined) {
          freeChunk(chunk);
          finish(refused);
          return;
        }
        if (length === 0 && size === announced) buffer = chunk;
        else {
          buffer = withCapacityFor(buffer, length, size, Number.isNaN(announced) ? limitBytes : announced);
          chunk.copy(buffer, length);
          freeChunk(chunk);
        }
        length += size;
      }
      const complete = () => finish(undefined);
      const cutOff = () => finish(badRequest('The request body was cut off', 'Malformed request'));

      const refused =
        announced > limitBytes
          ? tooLarge('The request body is too large')
          : (account.open() ?? account.wouldRefuse(Number.isNaN(announced) ? 0 : announced));
      if (refused !== undefined) {
        finish(refused);
        return heldBody;
      }
      incoming.add(body);
      source.on('data', take).on('end', complete).on('error', cutOff).on('close', cutOff);
      return heldBody;
    },

    watch(source, sender, tooSlow) {
      const account = accountOf(sender);
      const refused = account.open();
      if (refused !== undefined) return refused;
      const bytesBefore = source.socket.bytesRead;
      const body: InincomingBody = {
        startedMs: performance.now(),
        // With unread bytes in the buffer, the handler is slow, not the sender.
        received: () => (source.readableLength > 0 ? Number.POSITIVE_INFINITY : source.socket.bytesRead - bytesBefore),
        tooSlow: () => {
          end();
          tooSlow();
        },
      };
      function end(): void {
        source.off('end', end).off('close', end);
        incoming.delete(body);
        account.close();
      }
      incoming.add(body);
      source.on('end', end).on('close', end);
      return { release: end };
    },

    bufferedBytes: () => tenants.bytes.total() + unauthenticated.bytes.total(),
    stop: () => clearInterval(timer),
  };
}

function countersOf(
  { bodies, bytes }: { bodies: number; bytes: number },
  shares: number,
): { bodies: CappedCounter; bytes: CappedCounter; maxPerSender: number } {
  const maxPerSender = Math.max(1, Math.floor(bodies / shares));
  return {
    bodies: createCappedCounter({ maxConcurrent: bodies, maxConcurrentPerTenant: maxPerSender }),
    bytes: createCappedCounter({ maxConcurrent: bytes, maxConcurrentPerTenant: Math.floor(bytes / shares) }),
    maxPerSender,
  };
}

/**
 * One buffer that grows up to the body's limit, rather than a list of chunks: bytes sent one by one would each bring a buffer of a
 * hundred bytes.
 */
function withCapacityFor(buffer: Buffer, used: number, more: number, maxBytes: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(
    Math.max(used + more, Math.min(maxBytes, Math.max(FIRST_BUFFER_BYTES, buffer.length * 2))),
  );
  buffer.copy(larger, 0, 0, used);
  return larger;
}
