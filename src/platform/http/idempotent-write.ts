import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { inTransaction, type Sql, type Tx } from '../database/index.ts';
import type { SecretBox } from '../secret-box.ts';
import { badRequest, type Problem, unprocessable } from './problem.ts';

/** The answer went out through the reply; typed so that it fits whatever body a route declares. */
export type Sent = never;

export type Answer = { status: number; body: unknown };

/**
 * Runs a creating request in one transaction and sends its answer. With an `Idempotency-Key` the answer is kept in
 * that same transaction, so a crash leaves either both or neither, and a repeat gets the kept answer.
 *
 * `scope` is who asks: the same key from someone else is another key. Where anybody may ask it is `scopeOfStranger`.
 * `content` stands for the body where there is no parsed one (uploads).
 */
export type IdempotentWrite = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  work: (tx: Tx) => Promise<Answer>,
  content?: unknown,
) => Promise<Sent>;

/** How long a key is remembered. Used again after that, it is the key of a new request, whatever else is kept of the old one. */
export const KEY_LIFETIME_MS = 48 * 3_600_000;

const ACCEPTABLE_KEY = /^[\x21-\x7e]{1,255}$/;

type Kept = { fingerprint: Buffer; status: number; answer: Buffer };
type Outcome = { answer: Answer } | { kept: Kept };

export function createIdempotentWrite({
  sql,
  clock,
  box,
}: {
  sql: Sql;
  clock: Clock;
  box: SecretBox;
}): IdempotentWrite {
  // Repeats that arrive together wait here for the first, not on a database connection each.
  const running = new Map<string, Promise<unknown>>();

  return async (request, reply, scope, work, content = request.body) => {
    const key = readKey(request);
    if (key === undefined) {
      const answer = await inTransaction(sql, work);
      return reply.code(answer.status).send(answer.body) as Sent;
    }

    const fingerprint = fingerprintOf(request, content);
    const place = `${scope} ${key}`;
    while (running.has(place)) await running.get(place)?.catch(() => undefined);
    const attempt = inTransaction(sql, (tx) => runOrFind(tx, { scope, key, fingerprint }, work));
    running.set(place, attempt);
    try {
      return sendOutcome(reply, await attempt, fingerprint);
    } finally {
      running.delete(place);
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
      const [kept] = await tx<Kept[]>`
        select fingerprint, status, answer from idempotency_keys where scope = ${claim.scope} and key = ${claim.key}`;
      if (kept === undefined) throw new Error('an idempotency key vanished while it was read');
      return { kept };
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
    if (!outcome.kept.fingerprint.equals(fingerprint)) {
      throw keyReused();
    }
    return reply
      .code(outcome.kept.status)
      .header('idempotency-hit', 'true')
      .send(JSON.parse(box.open(outcome.kept.answer))) as Sent;
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
 * Nobody knows who sends to a public route, and two who chose the same key, or whose page did, must both be heard. So
 * there the address and the content are part of whose key it is: another body under the same key is another request.
 */
export function scopeOfStranger(request: FastifyRequest, route: string): string {
  const who = createHash('sha256').update(`${request.ip}\n`).update(fingerprintOf(request, request.body));
  return `${route} ${who.digest('base64url')}`;
}

/** Stands for what a request asks for: two that differ in it are not the same request, whatever their key. */
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
