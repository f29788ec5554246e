import { inTransactionByIndex, type Sql, type Tx } from '../../platform/database/index.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/index.ts';
import { isGone } from './judge-attempt.ts';
import { entryOf } from './manage-subscriptions.ts';
import { isDirect, type LateClaim, logDelivered, logPending } from './sql/direct-claims.ts';
import {
  type HealthChange,
  type HealthRow,
  lockHealth,
  type Outcome,
  saveHealth,
  settleDeliveries,
} from './sql/outcomes.ts';
import {
  lockQueues,
  type QueueRelease,
  releaseQueueSlots,
  skipWaiting,
  updateQueues,
} from './sql/subscription-queues.ts';
import { DISABLE_AFTER_MS, type SubscriptionStatus } from './subscription.ts';

/** A backlog is skipped in the background; these few at once, so that the log is correct for short backlogs right away. */
const SKIPPED_AT_ONCE = 100;

export type Settled = {
  settled: number;
  /** A disabled subscription may have more waiting than was skipped here. */
  leftToSkip: boolean;
  /** Direct claims that are in log and queue now. */
  logged: ReadonlySet<string>;
};

/** `written`: the last statements are sent, and later statements run after them. Await it before the commit. */
type Settling = Settled & { written: Promise<unknown> };

const NONE: ReadonlySet<string> = new Set();

export function settleOutcomes(sql: Sql, outcomes: Outcome[], now: Date): Promise<Settled> {
  return inTransactionByIndex(sql, async (tx) => {
    const { written, ...settled } = await settleIn(tx, outcomes, now);
    await written;
    return settled;
  });
}

/**
 * Attempt, state, schedule and the subscription's health, of any number of deliveries, in one transaction. A direct claim that was delivered
 * is logged as such; one that was not, or is late, is logged and queued first, and then like any other.
 */
export async function settleIn(tx: Tx, outcomes: Outcome[], now: Date, late: LateClaim[] = []): Promise<Settling> {
  const delivered = outcomes.flatMap(({ claim, ...outcome }) =>
    outcome.status === 'delivered' && isDirect(claim) ? [{ ...outcome, claim }] : [],
  );
  const queued = outcomes.filter(({ claim, status }) => status !== 'delivered' || !isDirect(claim));
  const failed = queued.flatMap(({ claim }) => (isDirect(claim) ? [{ claim, isWaiting: false }] : []));
  const unlogged = [...failed, ...late];
  const claims = [...outcomes, ...late].map(({ claim }) => claim);
  const subscriptionIds = [...new Set(claims.map((claim) => claim.subscription_id))];
  const organizationIds = [...new Set(claims.map((claim) => claim.organization_id))];
  const queuedIds = [...new Set([...queued, ...late].map(({ claim }) => claim.subscription_id))];
  // Sent back to back without waiting, and the server runs them in this order: locks before rows. It holds
  // because all of them are async functions; a bare query is sent only when it is awaited.
  const [health, queues, logged, kept, held] = await Promise.all([
    lockHealth(tx, subscriptionIds, organizationIds),
    queuedIds.length === 0 ? [] : lockQueues(tx, queuedIds),
    unlogged.length === 0 ? NONE : logPending(tx, unlogged),
    delivered.length === 0 ? NONE : logDelivered(tx, delivered),
    queued.length === 0 ? NONE : settleDeliveries(tx, queued),
  ]);
  const released = queued.filter(({ claim }) => held.has(claim.delivery_id));
  const ours = [...released, ...delivered.filter(({ claim }) => kept.has(claim.delivery_id))];
  if (ours.length === 0) return { settled: 0, leftToSkip: false, logged, written: Promise.resolve() };

  const changes = health.flatMap((row) => healthAfter(row, ours, now) ?? []);
  const written = Promise.all([
    ...(released.length > 0 ? [releaseQueueSlots(tx, queueReleases(released))] : []),
    ...(changes.length > 0 ? [saveHealth(tx, changes)] : []),
  ]);
  const transitions = healthTransitions(health, changes);
  if (transitions.length > 0) {
    await written;
    for (const transition of transitions) await applyHealth(tx, transition);
    await recordDisabled(tx, changes, now);
  }
  const disabled = changes.some(({ disabled_reason }) => disabled_reason !== null);
  const leftToSkip = disabled || queues.some(({ state }) => state === 'closed');
  return { settled: ours.length, leftToSkip, logged, written };
}

/** Rare, and seldom of two tenants at once: the audit takes one statement per tenant. */
async function recordDisabled(tx: Tx, changes: readonly HealthChange[], now: Date): Promise<void> {
  const disabled = changes.filter(({ disabled_reason }) => disabled_reason !== null);
  const byTenant = Map.groupBy(disabled, ({ organization_id }) => organization_id);
  for (const [organizationId, subscriptions] of byTenant) {
    const entries = subscriptions.map(({ id }) => ({
      ...entryOf('disable', id),
      changedFields: ['status', 'disabled_reason'],
    }));
    await recordAudit(tx, organizationId, SYSTEM_ACTOR, entries, now);
  }
}

/** Every outcome frees a slot of the queue it was claimed from, and may make another queue due. */
export function queueReleases(outcomes: Outcome[]): QueueRelease[] {
  const releases = new Map<string, QueueRelease>();
  const releaseOf = (subscription_id: string, priority: number): QueueRelease => {
    const key = `${subscription_id} ${priority}`;
    const release = releases.get(key) ?? { subscription_id, priority, freed: 0, due_at: null };
    releases.set(key, release);
    return release;
  };
  for (const { claim, next } of outcomes) {
    releaseOf(claim.subscription_id, claim.priority).freed += 1;
    if (next === undefined) continue;
    const entered = releaseOf(claim.subscription_id, next.priority);
    if (entered.due_at === null || next.dueAt < entered.due_at) entered.due_at = next.dueAt;
  }
  return [...releases.values()];
}

/**
 * Three days count from the first failure after the last success; an idle subscription has no such failure. Undefined when
 * no attempt counts for the receiver.
 */
export function healthAfter(row: HealthRow, outcomes: Outcome[], now: Date): HealthChange | undefined {
  const counted = outcomes.filter(({ claim, counts }) => counts && claim.subscription_id === row.id);
  if (counted.length === 0) return undefined;
  let failingSince = row.failing_since;
  let lastSuccess: Date | null = null;
  let lastFailure: Date | null = null;
  for (const { status } of counted) {
    if (status === 'delivered') {
      lastSuccess = now;
      failingSince = null;
    } else {
      lastFailure = now;
      failingSince ??= now;
    }
  }
  const gone = counted.some(({ attempt }) => isGone(attempt));
  return {
    organization_id: row.organization_id,
    id: row.id,
    last_success_at: lastSuccess,
    last_failure_at: lastFailure,
    failing_since: failingSince,
    // A paused subscription sends manual deliveries only; their failures do not disable it.
    disabled_reason: row.status === 'active' ? reasonToDisable(failingSince, gone, now) : null,
  };
}

function reasonToDisable(failingSince: Date | null, gone: boolean, now: Date): string | null {
  if (gone) return 'The receiver answered 410 Gone';
  if (failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    return 'No successful delivery for three days';
  }
  return null;
}

type HealthTransition = { id: string; status: SubscriptionStatus; failing: boolean };

function healthTransitions(before: HealthRow[], changes: HealthChange[]): HealthTransition[] {
  return changes.flatMap(({ id, failing_since, disabled_reason }) => {
    const earlier = before.find((row) => row.id === id);
    const failing = failing_since !== null;
    if (earlier === undefined) return [];
    if (disabled_reason !== null) return [{ id, status: 'disabled' as const, failing }];
    return (earlier.failing_since !== null) === failing ? [] : [{ id, status: earlier.status, failing }];
  });
}

/** A failing receiver gets a lower in-flight limit until it answers again; a disabled one gets nothing. */
async function applyHealth(tx: Tx, { id, status, failing }: HealthTransition): Promise<void> {
  await updateQueues(tx, id, status, failing);
  if (status === 'disabled') await skipWaiting(tx, id, SKIPPED_AT_ONCE);
}
