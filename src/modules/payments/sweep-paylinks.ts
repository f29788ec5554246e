import type { FastifyBaseLogger } from 'fastify';
import { Problem } from '../../platform/http/problem.ts';
import { findOperation } from '../../platform/operations/index.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { getProviderInstallOf } from './find-provider.ts';
import { onceWithoutKey } from './once.ts';
import type { Paying } from './paying.ts';
import type { Paylink } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import { keyOf, refreshPaylink } from './read-back.ts';
import { listOverdue, lookLater } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

const AT_ONCE = 8;
const MAX_ROWS = 200;
const LATER_MS = 10 * 60_000;
/** A provider's page may live longer than we were told; whoever agrees to one that we gave up would not be seen. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Pages whose time is up: the provider is asked what became of them. */
export async function sweepPaylinks(
  paying: Paying,
  log: Pick<FastifyBaseLogger, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  const rows = await listOverdue(paying.sql, paying.clock.now(), MAX_ROWS);
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      await look(paying, log, row);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function look(paying: Paying, log: Pick<FastifyBaseLogger, 'warn'>, row: Paylink): Promise<void> {
  const later = new Date(paying.clock.now().getTime() + LATER_MS);
  try {
    // Put off instead of skipped: operations that cannot be settled must not fill the list.
    const isUnderWay = (await findOperation(paying.sql, operationKey(keyOf(row)))) !== undefined;
    if (isUnderWay) return await lookLater(paying.sql, keyOf(row), later);
    const providerInstall = await getProviderInstallOf(paying, row);
    const { status } = await refreshPaylink(paying, providerInstall, row, SYSTEM_ACTOR);
    if (status === 'created') await expireOrWait(paying, row, later);
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error, paylinkId: row.id }, 'a paylink could not be looked at');
    // The app is gone, or the provider is: after a day nobody agrees any more.
    await expireOrWait(paying, row, later);
  }
}

function isLongOver({ clock }: Paying, { expires_at }: Paylink): boolean {
  return expires_at !== null && clock.now().getTime() - expires_at.getTime() > GIVE_UP_AFTER_MS;
}

async function expireOrWait(paying: Paying, row: Paylink, later: Date): Promise<void> {
  if (isLongOver(paying, row)) await expire(paying, row);
  else await lookLater(paying.sql, keyOf(row), later);
}

async function expire(paying: Paying, row: Paylink): Promise<void> {
  await onceWithoutKey<Paylink | undefined>(paying).keep(async (tx) => {
    const held = await lockWithOrder(tx, keyOf(row));
    if (held?.row.status !== 'created') return held?.row;
    const state = { ...held.row, status: 'expired' as const };
    return writeState(tx, paying, held, state, { actor: SYSTEM_ACTOR, action: 'expire' });
  });
}
