import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { isGone } from './judge-attempt.ts';
import { laneMoves, settleLanes } from './sql/claims.ts';
import { skipPending } from './sql/deliveries.ts';
import {
  type HealthChange,
  type HealthRow,
  lockHealth,
  lockLanes,
  logOutcomes,
  type Outcome,
  saveHealth,
  settleQueue,
} from './sql/outcomes.ts';
import { setLanes } from './sql/subscriptions.ts';
import { DISABLE_AFTER_MS } from './subscription.ts';

/** Attempt, state, schedule and the subscription's health, of any number of deliveries, in one transaction. */
export function settleOutcomes(sql: Sql, outcomes: Outcome[], now: Date): Promise<void> {
  return inTransaction(sql, (tx) => settleOutcomesIn(tx, outcomes, now));
}

/** Everyone locks in this order: subscriptions, lanes, queue, log. */
export async function settleOutcomesIn(tx: Tx, outcomes: Outcome[], now: Date): Promise<void> {
  const subscriptionIds = [...new Set(outcomes.map(({ claim }) => claim.subscription_id))];
  const organizationIds = [...new Set(outcomes.map(({ claim }) => claim.organization_id))];
  const health = await lockHealth(tx, subscriptionIds, organizationIds);
  await lockLanes(tx, subscriptionIds);

  const held = await settleQueue(tx, outcomes);
  const ours = outcomes.filter(({ claim }) => held.has(claim.delivery_id));
  if (ours.length === 0) return;
  await logOutcomes(tx, ours);
  const freed = laneMoves(
    ours.map(({ claim }) => claim),
    -1,
  );
  // A delivery that goes to another lane makes that one due as well.
  const entered = ours.flatMap(({ claim, next }) =>
    next ? [{ subscription_id: claim.subscription_id, lane: next.lane, by: 0 }] : [],
  );
  await settleLanes(tx, mergeMoves([...freed, ...entered]));

  const changes = health.map((row) => healthAfter(row, ours, now));
  await saveHealth(tx, changes);
  await followHealth(tx, health, changes);
}

function mergeMoves(moves: { subscription_id: string; lane: number; by: number }[]) {
  const merged = new Map<string, { subscription_id: string; lane: number; by: number }>();
  for (const move of moves) {
    const key = `${move.subscription_id} ${move.lane}`;
    const known = merged.get(key);
    if (known) known.by += move.by;
    else merged.set(key, { ...move });
  }
  return [...merged.values()];
}

/** Three days count from the first failure after the last success; an idle subscription has no such failure. */
export function healthAfter(row: HealthRow, outcomes: Outcome[], now: Date): HealthChange {
  let failingSince = row.failing_since;
  let lastSuccess: Date | null = null;
  let lastFailure: Date | null = null;
  let gone = false;
  for (const { claim, attempt, counts, status } of outcomes) {
    if (claim.subscription_id !== row.id || !counts) continue;
    if (status === 'delivered') {
      lastSuccess = now;
      failingSince = null;
    } else {
      lastFailure = now;
      failingSince ??= now;
      gone ||= isGone(attempt);
    }
  }
  return {
    organization_id: row.organization_id,
    id: row.id,
    last_success_at: lastSuccess,
    last_failure_at: lastFailure,
    failing_since: failingSince,
    disabled_reason: row.status === 'disabled' ? null : reasonToDisable(failingSince, gone, now),
  };
}

function reasonToDisable(failingSince: Date | null, gone: boolean, now: Date): string | null {
  if (gone) return 'The receiver answered 410 Gone';
  if (failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    return 'No successful delivery for three days';
  }
  return null;
}

/** A receiver that has begun to fail gets little room until it answers again; a disabled one gets none. */
async function followHealth(tx: Tx, before: HealthRow[], after: HealthChange[]): Promise<void> {
  for (const [index, change] of after.entries()) {
    const earlier = before[index];
    if (earlier === undefined) continue;
    if (change.disabled_reason !== null) {
      await setLanes(tx, change.id, 'disabled', true);
      await skipPending(tx, change.organization_id, change.id);
    } else if ((earlier.failing_since === null) !== (change.failing_since === null)) {
      await setLanes(tx, change.id, earlier.status as 'active' | 'paused' | 'disabled', change.failing_since !== null);
    }
  }
}
