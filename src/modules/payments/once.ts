import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { type Answer, fingerprintOf, type IdempotentWrite, type Sent } from '../../platform/http/idempotent-write.ts';
import type { Paying } from './paying.ts';

/**
 * What joins attempts of one request that the idempotency store does not know of yet: those under way, and those that were cut
 * off. How long a key counts is the store's alone to say; once it keeps an answer, nothing else remembers the key.
 */
export type RequestKey = {
  /** Stands for the Idempotency-Key and whose it is. */
  key: string;
  /** Stands for the body: under the same key, another one is another request. */
  fingerprint: string;
};

/** The two in one text. */
export const requestKeyText = (request: RequestKey | null) => request && `${request.key}.${request.fingerprint}`;

/**
 * How a write that takes a call to a provider before it ends. The call is made with no transaction open, so the kept answer of
 * a repeat is looked for before it, and kept with the write after it.
 */
export type Once<Row, Given> = {
  /** Nothing without an Idempotency-Key. */
  request: RequestKey | null;
  /** What an earlier request under the same key was given. */
  findStoredResponse(): Promise<{ given: Given } | undefined>;
  /** Rings once it has committed. */
  keep(work: (tx: Tx) => Promise<Row>): Promise<Given>;
};

const NOT_YET = Symbol('no answer is kept');

export function onceFor<Row>(
  { ordering }: Paying,
  idempotentWrite: IdempotentWrite,
  { request, reply, scope }: { request: FastifyRequest; reply: FastifyReply; scope: string },
  answerOf: (row: Row) => Answer,
): Once<Row, Sent> {
  const header = request.headers['idempotency-key'];
  const key = createHash('sha256').update(`${scope} ${header}`).digest('hex');
  return {
    request: header === undefined ? null : { key, fingerprint: fingerprintOf(request, request.body).toString('hex') },
    async findStoredResponse() {
      if (header === undefined) return undefined;
      try {
        // What claims the key is rolled back with the throw; a kept answer is sent without coming here.
        const given = await idempotentWrite(request, reply, scope, async () => {
          throw NOT_YET;
        });
        return { given };
      } catch (error) {
        if (error === NOT_YET) return undefined;
        throw error;
      }
    },
    keep: (work) =>
      notifyAfterCommit(ordering.outbox, () =>
        idempotentWrite(request, reply, scope, async (tx) => answerOf(await work(tx))),
      ),
  };
}

/** For whoever has no request, or one that repeats harmlessly by itself. */
export function onceWithoutKey<Row>({ sql, ordering }: Paying): Once<Row, Row> {
  return {
    request: null,
    findStoredResponse: async () => undefined,
    keep: (work) => notifyAfterCommit(ordering.outbox, () => inTransaction(sql, work)),
  };
}
