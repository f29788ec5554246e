import type { IncomingMessage } from 'node:http';
import { discardBody, freeChunk } from './discard-body.ts';
import { badRequest, Problem, tooLarge, tooManyRequests, unavailable } from './problem.ts';
import { createShares, type Refusal, type Shares } from './shares.ts';

/** Whose body it is: a tenant's, or that of an address nobody knows. */
export type Sender = { tenant: string } | { address: string };

export type IntakeLimits = {
  /** Bodies of tenants on their way at once, and bytes of theirs in memory; one tenant may have half of each. */
  tenants: { bodies: number; bytes: number };
  /** The same for strangers; one address may have an eighth. They draw on nothing that tenants need. */
  strangers: { bodies: number; bytes: number };
  firstBytesWithinMs: number;
  /** From then on a body must have come at `minBytesPerSecond` on average. */
  graceMs: number;
  minBytesPerSecond: number;
  checkEveryMs: number;
};

// A thousand orders of 2 kB at once are 2 MB; four bulk bodies of 32 MB fill what tenants have. A telephone on a bad
// connection sends 2 kB a second, and has ten seconds to begin with.
const LIMITS: IntakeLimits = {
  tenants: { bodies: 1_000, bytes: 128 * 1024 * 1024 },
  strangers: { bodies: 1_000, bytes: 32 * 1024 * 1024 },
  firstBytesWithinMs: 5_000,
  graceMs: 10_000,
  minBytesPerSecond: 1_024,
  checkEveryMs: 1_000,
};

const FIRST_STORE_BYTES = 16 * 1024;
const RETRY_AFTER_MS = 1_000;

/** A body that counts against its sender; to be let go once its request is over, and not before. */
export type HeldBody = { release(): void };

export type BodyIntake = {
  /** Reads a body into memory, or says why not. */
  receive(
    source: IncomingMessage,
    sender: Sender,
    limitBytes: number,
    done: (refused: Problem | undefined, bytes: Buffer) => void,
  ): HeldBody;
  /** A body that its handler reads by itself, such as a form: it only has to keep coming. */
  watch(source: IncomingMessage, sender: Sender, tooSlow: () => void): HeldBody | Problem;
  /** Bytes of request bodies in memory now. */
  bufferedBytes(): number;
  stop(): void;
};

type Coming = { startedMs: number; received(): number; tooSlow(): void };

/**
 * Takes bodies in. A request is no work before its body is there, so it waits here and not among those in progress;
 * here it costs a socket and the bytes it has sent, and both are bounded, altogether and for each sender. Who sends
 * too slowly is cut off: Node's own limit, two minutes for the whole request, lets a thousand silent sockets sit.
 */
export function createBodyIntake(changes: Partial<IntakeLimits> = {}): BodyIntake {
  const limits = { ...LIMITS, ...changes };
  const tenants = sharesOf(limits.tenants, 2);
  const strangers = sharesOf(limits.strangers, 8);
  const coming = new Set<Coming>();

  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const body of coming) {
      const received = body.received();
      const allowedMs =
        received === 0 ? limits.firstBytesWithinMs : limits.graceMs + (received / limits.minBytesPerSecond) * 1000;
      if (nowMs - body.startedMs > allowedMs) body.tooSlow();
    }
  }, limits.checkEveryMs);
  timer.unref();

  function accountOf(sender: Sender) {
    const isTenant = 'tenant' in sender;
    const name = isTenant ? sender.tenant : sender.address;
    const { bodies, bytes, most } = isTenant ? tenants : strangers;
    const problem = (refusal: Refusal | undefined) =>
      refusal === undefined
        ? undefined
        : refusal === 'share is taken'
          ? tooManyRequests(most, RETRY_AFTER_MS)
          : unavailable('Too many request bodies are being received');
    let takenBytes = 0;
    let takenBodies = 0;
    return {
      open() {
        const refusal = bodies.take(name, 1);
        if (refusal === undefined) takenBodies = 1;
        return problem(refusal);
      },
      wouldRefuse: (count: number) => problem(bytes.refuses(name, count)),
      add(count: number) {
        const refusal = bytes.take(name, count);
        if (refusal === undefined) takenBytes += count;
        return problem(refusal);
      },
      /** It has come, or never will. Its bytes stay in memory until `release`. */
      close() {
        if (takenBodies > 0) bodies.give(name, takenBodies);
        takenBodies = 0;
      },
      release() {
        if (takenBytes > 0) bytes.give(name, takenBytes);
        takenBytes = 0;
      },
    };
  }

  return {
    receive(source, sender, limitBytes, done) {
      const account = accountOf(sender);
      const announced = Number(source.headers['content-length'] ?? Number.NaN);
      let store: Buffer = Buffer.alloc(0);
      let length = 0;
      const body: Coming = {
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
        coming.delete(body);
        account.close();
        // The rest is discarded; the answer closes the connection.
        if (refused !== undefined) {
          store = Buffer.alloc(0);
          length = 0;
          discardBody(source);
          account.release();
        }
        done(refused, store.subarray(0, length));
      }
      function take(chunk: Buffer): void {
        const size = chunk.length;
        const refused = length + size > limitBytes ? tooLarge('The request body is too large') : account.add(size);
        if (refused !== undefined) {
          freeChunk(chunk);
          finish(refused);
          return;
        }
        if (length === 0 && size === announced) store = chunk;
        else {
          store = withRoomFor(store, length, size, Number.isNaN(announced) ? limitBytes : announced);
          chunk.copy(store, length);
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
      coming.add(body);
      source.on('data', take).on('end', complete).on('error', cutOff).on('close', cutOff);
      return heldBody;
    },

    watch(source, sender, tooSlow) {
      const account = accountOf(sender);
      const refused = account.open();
      if (refused !== undefined) return refused;
      const bytesBefore = source.socket.bytesRead;
      const body: Coming = {
        startedMs: performance.now(),
        // Where bytes wait to be read it is the reader who is slow.
        received: () => (source.readableLength > 0 ? Number.POSITIVE_INFINITY : source.socket.bytesRead - bytesBefore),
        tooSlow: () => {
          over();
          tooSlow();
        },
      };
      function over(): void {
        source.off('end', over).off('close', over);
        coming.delete(body);
        account.close();
      }
      coming.add(body);
      source.on('end', over).on('close', over);
      return { release: over };
    },

    bufferedBytes: () => tenants.bytes.total() + strangers.bytes.total(),
    stop: () => clearInterval(timer),
  };
}

function sharesOf(
  { bodies, bytes }: { bodies: number; bytes: number },
  senders: number,
): { bodies: Shares; bytes: Shares; most: number } {
  const most = Math.max(1, Math.floor(bodies / senders));
  return { bodies: createShares(bodies, most), bytes: createShares(bytes, Math.floor(bytes / senders)), most };
}

/**
 * One store that grows, rather than a list of what came: bytes sent one by one would each bring a buffer of a hundred
 * bytes along. It never grows past what the body may have.
 */
function withRoomFor(store: Buffer, used: number, more: number, most: number): Buffer {
  if (used + more <= store.length) return store;
  const larger = Buffer.allocUnsafeSlow(
    Math.max(used + more, Math.min(most, Math.max(FIRST_STORE_BYTES, store.length * 2))),
  );
  store.copy(larger, 0, 0, used);
  return larger;
}
