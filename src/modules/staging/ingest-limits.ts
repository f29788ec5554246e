import type { FastifyBaseLogger } from 'fastify';
import { createSteadyLoop } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import { Problem, tooManyRequests } from '../../platform/http/problem.ts';
import type { Install } from '../apps/index.ts';
import { addUsage, type Usage } from './sql/usage.ts';

export type IngestLimitSettings = { ratePerMinute: number; quotaMegabytes: number };

export type IngestLimits = {
  /** Counts a verified call; throws 429 where its install is over its rate or its day's storage. */
  take(install: Pick<Install, 'id' | 'organization_id'>, bytes: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FLUSH_EVERY_MS = 1_000;
const MAX_INSTALLS = 5_000;
const FORGET_AFTER_MS = 10 * MINUTE_MS;
/** A vendor that is over its day's quota asks again within the hour. */
const LONGEST_RETRY_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;

type Account = {
  organizationId: string;
  day: string;
  /** Of the whole day over all processes, as of the last flush. */
  storedBytes: number;
  pendingBytes: number;
  pendingPayloads: number;
  /** Token bucket: a minute's worth of calls at once. */
  tokens: number;
  refilledAtMs: number;
};

/**
 * How much one install may send: calls a minute and bytes a day. Counted in memory and added up in the database once a second, so
 * that a call costs no statement; several processes together may pass the quota by what each takes in within that second.
 */
export function createIngestLimits(
  { sql, clock, log }: { sql: Sql; clock: Clock; log: FastifyBaseLogger },
  { ratePerMinute, quotaMegabytes }: IngestLimitSettings,
): IngestLimits {
  const quotaBytes = quotaMegabytes * MEGABYTE;
  const accounts = new Map<string, Account>();

  function accountOf({ id, organization_id }: Pick<Install, 'id' | 'organization_id'>, now: Date): Account {
    const day = now.toISOString().slice(0, 10);
    const known = accounts.get(id);
    if (known?.day === day) return known;
    const account = {
      organizationId: organization_id,
      day,
      storedBytes: 0,
      pendingBytes: 0,
      pendingPayloads: 0,
      tokens: known?.tokens ?? ratePerMinute,
      refilledAtMs: known?.refilledAtMs ?? now.getTime(),
    };
    accounts.set(id, account);
    return account;
  }

  async function flush(): Promise<boolean> {
    const pending = [...accounts].filter(([, { pendingPayloads }]) => pendingPayloads > 0);
    forgetIdle();
    if (pending.length === 0) return false;
    const usages = pending.map(
      ([installId, { organizationId, day, pendingBytes: bytes, pendingPayloads: payloads }]): Usage => ({
        organizationId,
        installId,
        day,
        bytes,
        payloads,
      }),
    );
    const totals = await addUsage(sql, usages);
    for (const [index, [, account]] of pending.entries()) {
      const { bytes = 0, payloads = 0 } = usages[index] ?? {};
      account.pendingBytes -= bytes;
      account.pendingPayloads -= payloads;
      account.storedBytes = totals.get(usages[index]?.installId ?? '') ?? account.storedBytes + bytes;
    }
    return false;
  }

  function forgetIdle(): void {
    const before = clock.now().getTime() - FORGET_AFTER_MS;
    for (const [id, { refilledAtMs, pendingPayloads }] of accounts) {
      const isOver = accounts.size > MAX_INSTALLS || refilledAtMs < before;
      if (pendingPayloads === 0 && isOver) accounts.delete(id);
    }
  }

  const loop = createSteadyLoop({ name: 'ingest usage', log, everyMs: FLUSH_EVERY_MS, step: flush });

  return {
    take(install, bytes) {
      const now = clock.now();
      const account = accountOf(install, now);
      const passedMs = Math.max(0, now.getTime() - account.refilledAtMs);
      account.tokens = Math.min(ratePerMinute, account.tokens + (passedMs * ratePerMinute) / MINUTE_MS);
      account.refilledAtMs = now.getTime();
      if (account.tokens < 1) throw tooManyRequests(ratePerMinute, MINUTE_MS / ratePerMinute);
      if (account.storedBytes + account.pendingBytes + bytes > quotaBytes) throw quotaReached(quotaMegabytes, now);
      account.tokens -= 1;
      account.pendingBytes += bytes;
      account.pendingPayloads += 1;
    },
    start: async () => loop.start(),
    async stop() {
      await loop.stop();
      await flush().catch((error: unknown) => log.warn({ err: error }, 'the last usage could not be written'));
    },
  };
}

export function quotaReached(quotaMegabytes: number, now: Date): Problem {
  const leftMs = DAY_MS - (now.getTime() % DAY_MS);
  const seconds = Math.ceil(Math.min(leftMs, LONGEST_RETRY_MS) / 1000);
  const details = { quota_megabytes_a_day: quotaMegabytes, retry_after_seconds: seconds };
  return new Problem(429, 'Storage quota reached', details, { 'retry-after': String(seconds) });
}
