import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Sql } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import type { ResponseLimiter } from '../response-limiter.ts';
import type { PieceOf } from '../sql/list-orders.ts';
import type { FoundPage } from './list-orders.ts';
import { readInPieces } from './read-in-pieces.ts';
import { sendPieces, whenAnswered } from './send-pieces.ts';

/** The format of a list: its envelope, and how each order is shown. */
export type ListForm = { envelope: { orders: never[] }; show(order: Order): object };

/** For answers that are streamed instead of held in memory. */
export type PieceTools = { sql: Sql; log: FastifyBaseLogger; largeResponses: ResponseLimiter };

/**
 * A page that fits into one read is answered at once. Of a larger page only the ids are held, and it is read and written piece by
 * piece while the client reads: a hundred orders of 256 kB are 25 MB, and many times that as objects. Both ways contain all orders
 * of the page, except those deleted meanwhile.
 */
export function answerList(
  tools: PieceTools,
  reply: FastifyReply,
  scope: { organizationId: string; branchId: string | null },
  { orders, unread }: FoundPage,
  form: ListForm,
  of: PieceOf,
): object | Promise<FastifyReply> {
  if (unread.length === 0) return { ...form.envelope, orders: orders.map(form.show) };
  const ids = [...orders.map((order) => order.id), ...unread];
  const rowsPerRead = orders.length;
  return sendInPieces(tools, reply, scope.organizationId, () =>
    writeList(form, readInPieces<Order>(tools.sql, scope, ids, of, rowsPerRead)),
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

/** A JSON array whose members arrive in pieces, with the text before and after it. */
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
