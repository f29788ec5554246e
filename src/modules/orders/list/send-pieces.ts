import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';

/** A client that reads nothing for this long is disconnected. */
const STALLED_AFTER_MS = 30_000;
/** The maximum duration of an answer, also to a slow client: it holds a slot of the limiter. */
const ENDED_AFTER_MS = 600_000;

export type SendLimits = { stalledAfterMs: number; endedAfterMs: number };

/** Calls `done` when the answer is sent or its client has disconnected, also when that was before this call. */
export function whenAnswered({ raw }: FastifyReply, done: () => void): void {
  if (raw.closed || raw.destroyed) done();
  else raw.once('close', done);
}

/**
 * Streams an answer. Each piece is requested when the socket has accepted the one before, so that pieces a client does not read
 * are not read from the database. An error in the first piece is answered as usual; an error after it closes the connection.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  log: FastifyBaseLogger,
  limits: SendLimits = { stalledAfterMs: STALLED_AFTER_MS, endedAfterMs: ENDED_AFTER_MS },
): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const stream = Readable.from(startingWith(first, iterator));
  stream.on('error', (error) => log.warn({ err: error, reqId: reply.request.id }, 'answer cut off'));
  // The timeout of the socket counts the progress within a long write. Node resets it after the answer.
  const { socket } = reply.raw;
  socket?.setTimeout(limits.stalledAfterMs);
  const end = setTimeout(() => socket?.destroy(), limits.endedAfterMs).unref();
  whenAnswered(reply, () => {
    clearTimeout(end);
    stream.destroy();
  });
  return reply.send(stream);
}

async function* startingWith(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
