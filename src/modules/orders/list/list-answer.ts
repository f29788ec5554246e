import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { Sql } from '../../../platform/database/index.ts';
import { encodeUtf8 } from '../../../platform/text/encode-utf8.ts';
import type { Order } from '../order.ts';
import type { ListForm } from '../payload.ts';
import type { ResponseLimiter } from '../response-limiter.ts';
import type { PieceOf } from '../sql/list-orders.ts';
import { readInPieces } from './read-in-pieces.ts';
import { sendPieces, whenAnswered } from './send-pieces.ts';

/** For answers that are streamed instead of held in memory. */
export type PieceTools = { sql: Sql; log: FastifyBaseLogger; largeResponses: ResponseLimiter };

/** An order as a list sends it, without its head: see `ListForm`. */
export type ListedJson = { id: string; json: Buffer };

/** A page of orders that are written already: their bytes are copied. */
export function sendList(reply: FastifyReply, form: ListForm, orders: readonly ListedJson[]): FastifyReply {
  const [before, after] = writeEnvelope(form);
  const heads = orders.map(({ id }) => form.headOf(id));
  const bytes = orders.reduce((sum, { json }, index) => sum + (heads[index] as string).length + json.length + 1, 0);
  const answer = Buffer.allocUnsafe(before.length + bytes + after.length + 2);
  let end = answer.write(`${before}[`, 0, 'latin1');
  for (const [index, { json }] of orders.entries()) {
    end += answer.write(`${index === 0 ? '' : ','}${heads[index]}`, end, 'latin1');
    answer.set(json, end);
    end += json.length;
  }
  end += answer.write(`]${after}`, end, 'latin1');
  return sendJson(reply).send(answer.subarray(0, end));
}

/** A page that fits into one read. */
export function sendOrders(reply: FastifyReply, form: ListForm, orders: readonly Order[]): FastifyReply {
  const [before, after] = writeEnvelope(form);
  return sendJson(reply).send(
    encodeUtf8(`${before}[${orders.map((order) => writeOrder(form, order)).join()}]${after}`),
  );
}

/**
 * A larger page. Only its ids are held, and it is read and written piece by piece while the client reads: a hundred orders of 256 kB
 * are 25 MB, and many times that as objects. It contains all orders of the page, except those deleted meanwhile.
 */
export function streamList(
  tools: PieceTools,
  reply: FastifyReply,
  scope: { organizationId: string; branchId: string | null },
  form: ListForm,
  { ids, of, rowsPerRead }: { ids: string[]; of: PieceOf; rowsPerRead: number },
): Promise<FastifyReply> {
  return sendInPieces(tools, reply, scope.organizationId, () => {
    const [before, after] = writeEnvelope(form);
    return writeArray(before, writtenIn(form, readInPieces<Order>(tools.sql, scope, ids, of, rowsPerRead)), after);
  });
}

export async function sendInPieces(
  { log, largeResponses }: PieceTools,
  reply: FastifyReply,
  organizationId: string,
  write: () => AsyncIterable<string>,
): Promise<FastifyReply> {
  whenAnswered(reply, await largeResponses.acquire(organizationId));
  return sendPieces(sendJson(reply), write(), log);
}

const sendJson = (reply: FastifyReply) => reply.header('content-type', 'application/json; charset=utf-8');

/** The text before and after the array of orders. */
function writeEnvelope({ envelope }: ListForm): [string, string] {
  const [before = '', after = ''] = JSON.stringify(envelope).split('[]');
  return [before, after];
}

async function* writtenIn(form: ListForm, pieces: AsyncIterable<Order[]>): AsyncGenerator<string[]> {
  for await (const orders of pieces) {
    yield orders.map((order) => writeOrder(form, order));
  }
}

const writeOrder = (form: ListForm, order: Order) =>
  form.headOf(order.id) + JSON.stringify(form.restOf(order)).slice(1);

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
