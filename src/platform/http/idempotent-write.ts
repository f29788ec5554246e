import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { inTransaction, type Sql, type Tx } from '../database/index.ts';
import type { SecretBox } from '../secret-box.ts';
import { badRequest, type Problem, unprocessable } from './problem.ts';

/** The response was sent through the reply; typed so that it fits any body that a route declares. */
export type Sent = never;

export type Answer = { status: number; body: unknown };

/**
 * Runs a creating request in one transaction and sends its response. With an `Idempotency-Key` the response is stored in the same
 * transaction, so a crash leaves both or neither, and a repeated request gets the stored response.
 *
 * `scope` identifies the client: the same key in another scope is another key. On public routes it is `scopeOfUnauthenticated`.
 * `content` replaces the body where there is no parsed one (uploads).
 */
export type IdempotentWrite = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  work: (tx: Tx) => Promise<Answer>,
  content?: unknown,
) => Promise<Sent>;

/** How long a key is stored. After that, the same key starts a new request. */
export const KEY_LIFETIME_MS = 48 * 3_600_000;

const ACCEPTABLE_KEY = /^[\x21-\x7e]{1,255}$/;

type StoredResponse = { fingerprint: Buffer; status: number; answer: Buffer };
type Outcome = { answer: Answer } | { stored: StoredResponse };

export function createIdempotentWrite({
  sql,
  clock,
  box,
}: {
  sql: Sql;
  clock: Clock;
  box: SecretBox;
}): IdempotentWrite {
  // Concurrent repeats wait here for the first, without a database connection each.
  const running = new Map<string, Promise<unknown>>();

  return async (request, reply, scope, work, content = request.body) => {
    const key = readKey(request);
    if (key === undefined) {
      const answer = await inTransaction(sql, work);
      return reply.code(answer.status).send(answer.body) as Sent;
    }

    const fingerprint = fingerprintOf(request, content);
    const lock = `${scope} ${key}`;
    while (running.has(lock)) await running.get(lock)?.catch(() => undefined);
    const attempt = inTransaction(sql, (tx) => runOrFind(tx, { scope, key, fingerprint }, work));
    running.set(lock, attempt);
    try {
      return sendOutcome(reply, await attempt, fingerprint);
    } finally {
      running.delete(lock);
    }
  };

  async function runOrFind(
    tx: Tx,
    claim: { scope: string; key: string; fingerprint: Buffer },
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Outcome> {
    // Blocks while another process holds the same key in an open transaction.
    const claimed = await tx`
      insert into idempotency_keys (scope, key, fingerprint, created)
      values (${claim.scope}, ${claim.key}, ${claim.fingerprint}, ${clock.now()})
      on conflict do nothing
      returning 1`;
    if (claimed.length === 0) {
      const [stored] = await tx<StoredResponse[]>`
        select fingerprint, status, answer from idempotency_keys where scope = ${claim.scope} and key = ${claim.key}`;
      if (stored === undefined) throw new Error('an idempotency key vanished while it was read');
      return { stored };
    }
    const answer = await work(tx);
    await tx`
      update idempotency_keys
      set status = ${answer.status}, answer = ${box.seal(JSON.stringify(answer.body))}
      where scope = ${claim.scope} and key = ${claim.key}`;
    return { answer };
  }

  function sendOutcome(reply: FastifyReply, outcome: Outcome, fingerprint: Buffer): Sent {
    if ('answer' in outcome) return reply.code(outcome.answer.status).send(outcome.answer.body) as Sent;
    if (!outcome.stored.fingerprint.equals(fingerprint)) {
      throw keyReused();
    }
    return reply
      .code(outcome.stored.status)
      .header('idempotency-hit', 'true')
      .send(JSON.parse(box.open(outcome.stored.answer))) as Sent;
  }
}

export function keyReused(): Problem {
  return unprocessable({ 'Idempotency-Key': 'was used before with another request' }, 'Idempotency key reused');
}

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !ACCEPTABLE_KEY.test(key)) {
    throw badRequest({ 'Idempotency-Key': 'must be 1 to 255 printable characters' });
  }
  return key;
}

/**
 * Clients of a public route are unknown, and two of them may use the same key. The address and the content are therefore part of the
 * scope: another body under the same key is another request.
 */
export function scopeOfUnauthenticated(request: FastifyRequest, route: string): string {
  const sender = createHash('sha256').update(`${request.ip}\n`).update(fingerprintOf(request, request.body));
  return `${route} ${sender.digest('base64url')}`;
}

/** Hash of method, URL and content: requests with different fingerprints differ, whatever their key. */
export function fingerprintOf(request: FastifyRequest, content: unknown): Buffer {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(content) ?? '')
    .digest();
}

export async function forgetOldKeys(sql: Sql, olderThan: Date): Promise<number> {
  const removed = await sql`delete from idempotency_keys where created < ${olderThan}`;
  return removed.count;
}
