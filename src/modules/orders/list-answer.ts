import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Sql } from '../../platform/database/index.ts';
import type { FoundPage } from './list-orders.ts';
import type { Order } from './order.ts';
import { readInPieces } from './read-in-pieces.ts';
import type { ResponseLimiter } from './response-limiter.ts';
import { sendPieces, whenAnswered } from './send-pieces.ts';
import type { PieceOf } from './sql/list-orders.ts';

/** How a list looks: what stands around its orders, and how each of them is shown. */
export type ListForm = { envelope: { orders: never[] }; show(order: Order): object };

/** For answers that are not held whole in memory. */
export type PieceTools = { sql: Sql; log: FastifyBaseLogger; largeResponses: ResponseLimiter };

/**
 * A page that fits into one read is answered whole. Of a larger one only the ids are kept, and it is read and written piece
 * by piece while the client reads: a hundred orders of 256 kB are 25 MB, and as objects many times that. It has all of its
 * orders either way, unless one is deleted meanwhile.
 */
export function answerList(
  tools: PieceTools,
  reply: FastifyReply,
  whose: { organizationId: string; branchId: string | null },
  { orders, unread }: FoundPage,
  form: ListForm,
  of: PieceOf,
): object | Promise<FastifyReply> {
  if (unread.length === 0) return { ...form.envelope, orders: orders.map(form.show) };
  const ids = [...orders.map((order) => order.id), ...unread];
  const atATime = orders.length;
  return sendInPieces(tools, reply, whose.organizationId, () =>
    writeList(form, readInPieces<Order>(tools.sql, whose, ids, of, atATime)),
  );
}

export async function sendInPieces(
  { log, largeResponses }: PieceTools,
  reply: FastifyReply,
  organizationId: string,
  write: () => AsyncIterable<string>,
): Promise<FastifyReply> {
  whenAnswered(reply, await largeResponses.acquire(organizationId));
  reply.header('content-type', 'application/json; charset=utf-8');
  return sendPieces(reply, write(), log);
}

function writeList(form: ListForm, pieces: AsyncIterable<Order[]>): AsyncIterable<string> {
  const [before, after] = JSON.stringify(form.envelope).split('"orders":[]');
  return writeArray(`${before}"orders":`, shownIn(form, pieces), after);
}

async function* shownIn(form: ListForm, pieces: AsyncIterable<Order[]>): AsyncGenerator<string[]> {
  for await (const orders of pieces) yield orders.map((order) => JSON.stringify(form.show(order)));
}

/** An array whose members come in pieces, with what stands before and after it. */
export async function* writeArray(
  before: string,
  pieces: AsyncIterable<string[]>,
  after = '}',
): AsyncGenerator<string> {
  let opening = `${before}[`;
  for await (const members of pieces) {
    yield opening + members.join(',');
    opening = ',';
  }
  yield opening === ',' ? `]${after}` : `${opening}]${after}`;
}
