import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { type Answer, fingerprintOf, type IdempotentWrite, type Sent } from '../../platform/http/idempotent-write.ts';
import type { PaymentContext } from './payment-context.ts';

/**
 * Identifies repeats of a request whose response is not stored yet: those under way, and those that were cut off. The
 * idempotency store decides how long a key is valid; once it stores a response, the key is kept nowhere else.
 */
export type RequestKey = {
  /** Hash of the Idempotency-Key and its scope. */
  key: string;
  /** Hash of the request body. The same key with another body is another request. */
  fingerprint: string;
};

/** Both parts in one string, as a capture stores them. */
export const requestKeyText = (request: RequestKey | null) => request && `${request.key}.${request.fingerprint}`;

/**
 * An idempotent write with a call to a provider in its middle. No transaction is open during the call, so the stored response
 * of a repeat is looked up before the call, and the response is stored with the write after it.
 */
export type IdempotentCall<Row, Reply> = {
  /** Null without an Idempotency-Key. */
  request: RequestKey | null;
  /** The response to an earlier request under the same key. */
  findStoredResponse(): Promise<{ reply: Reply } | undefined>;
  /** Writes and stores the response in one transaction; notifies the outbox after the commit. */
  store(work: (tx: Tx) => Promise<Row>): Promise<Reply>;
};

const NOT_STORED = Symbol('no response is stored');

export function idempotentCallOf<Row>(
  { ordering }: PaymentContext,
  idempotentWrite: IdempotentWrite,
  { request, reply, scope }: { request: FastifyRequest; reply: FastifyReply; scope: string },
  answerOf: (row: Row) => Answer,
): IdempotentCall<Row, Sent> {
  const header = request.headers['idempotency-key'];
  const key = createHash('sha256').update(`${scope} ${header}`).digest('hex');
  return {
    request: header === undefined ? null : { key, fingerprint: fingerprintOf(request, request.body).toString('hex') },
    async findStoredResponse() {
      if (header === undefined) return undefined;
      try {
        // The throw rolls back the claim of the key; a stored response is sent without calling this function.
        const sent = await idempotentWrite(request, reply, scope, async () => {
          throw NOT_STORED;
        });
        return { reply: sent };
      } catch (error) {
        if (error === NOT_STORED) return undefined;
        throw error;
      }
    },
    store: (work) =>
      notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, scope, async (tx) => answerOf(await work(tx))),
      ),
  };
}

/** For background work, and for requests that are idempotent without a key. */
export function callWithoutKey<Row>({ sql, ordering }: PaymentContext): IdempotentCall<Row, Row> {
  return {
    request: null,
    findStoredResponse: async () => undefined,
    store: (work) => notifyAfterCommit(ordering.outbox, () => inTransaction(sql, work)),
  };
}
