import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';

/** A client that takes in nothing for so long is cut off. */
const STALLED_AFTER_MS = 30_000;
/** However slowly it reads on: an answer does not keep its slot for longer. */
const ENDED_AFTER_MS = 600_000;

export type ReadingLimits = { stalledAfterMs: number; endedAfterMs: number };

/** Runs once the answer is out or its client is gone, be it that it was gone before. */
export function whenAnswered({ raw }: FastifyReply, done: () => void): void {
  if (raw.closed || raw.destroyed) done();
  else raw.once('close', done);
}

/**
 * An answer written piece by piece: the next one is asked for when the socket has taken in the one before, so what a client
 * does not read is not read from the database either. What goes wrong with the first piece is answered like anything
 * else; after it, there is only cutting off.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  log: FastifyBaseLogger,
  limits: ReadingLimits = { stalledAfterMs: STALLED_AFTER_MS, endedAfterMs: ENDED_AFTER_MS },
): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const stream = Readable.from(startingWith(first, iterator));
  stream.on('error', (error) => log.warn({ err: error, reqId: reply.request.id }, 'answer cut off'));
  // The socket's own limit knows how much of a long write has gone out, and is put back when the answer is.
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
