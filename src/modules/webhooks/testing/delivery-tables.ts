import { atEndOfFile } from '../../../../test/harness/end-of-file.ts';
import { connectPatiently, testDatabase } from '../../../../test/harness/index.ts';
import { ensureWeeks, inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { createOrganization } from '../../identity/index.ts';
import { type ClaimLimits, claimDeliveries } from '../claim-deliveries.ts';
import { PRIORITY } from '../delivery.ts';
import { DELIVERY_WEEKS } from '../delivery-weeks.ts';
import { createInFlight } from '../in-flight.ts';
import type { Claim } from '../sql/claims.ts';
import { insertDeliveries, type NewDelivery } from '../sql/deliveries.ts';
import { type DirectClaim, insertDirectClaim } from '../sql/direct-claims.ts';
import { findLostClaims, findLostLease, type LostClaim } from '../sql/leases.ts';
import type { Outcome } from '../sql/outcomes.ts';
import { insertSubscription } from '../sql/subscriptions.ts';

/** The tables without a service: a test calls each statement of the engine itself. */
export async function openDeliveryTables() {
  const { url, sql: shared } = await testDatabase();
  // One connection per concurrent caller.
  const sql = connectPatiently(url, 10);
  sql.useLayout(shared.layout);
  atEndOfFile(() => sql.end({ timeout: 1 }));
  const now = new Date();
  await ensureWeeks(sql, DELIVERY_WEEKS, now);

  const organization = () => createOrganization(sql, { nameEn: 'Test shop', nameAr: 'متجر', now });
  async function subscription(organizationId: string): Promise<string> {
    const id = newId();
    await inTransaction(sql, (tx) =>
      insertSubscription(tx, {
        organization_id: organizationId,
        id,
        url: 'https://hooks.example.com/',
        description: '',
        event_types: [],
        secret: Buffer.from('sealed'),
        secret_hint: 'hint',
        created: now,
      }),
    );
    return id;
  }

  return {
    url,
    sql,
    now,
    organization,
    subscription,

    async tenantWith(subscriptions: number): Promise<{ organization: string; ids: string[] }> {
      const id = await organization();
      const ids: string[] = [];
      for (let count = 0; count < subscriptions; count += 1) ids.push(await subscription(id));
      return { organization: id, ids };
    },

    async deliveries(
      organizationId: string,
      subscriptionId: string,
      count: number,
      changes: Partial<NewDelivery> = {},
    ): Promise<string[]> {
      const made = Array.from({ length: count }, () => ({
        ...newDelivery(organizationId, subscriptionId, now),
        ...changes,
      }));
      await inTransaction(sql, (tx) => insertDeliveries(tx, made));
      return made.map((delivery) => delivery.id);
    },

    /** Claims of a fan-out, for events that do not exist. */
    async claimDirectly(
      organizationId: string,
      subscriptionIds: string[],
      at = now,
      leaseUntil = new Date(at.getTime() + 30_000),
    ): Promise<DirectClaim[]> {
      const claimId = newId();
      const claims = subscriptionIds.map((id) => {
        const { id: delivery_id, created, ...delivery } = newDelivery(organizationId, id, at);
        const { organization_id, subscription_id, event_id, event_type, priority, retries_left } = delivery;
        const unlogged = { position: 1, created };
        return {
          delivery_id,
          organization_id,
          subscription_id,
          event_id,
          event_type,
          priority,
          retries_left,
          claim_id: claimId,
          unlogged,
        };
      });
      await insertDirectClaim(sql, { claimId, now: at, leaseUntil, retriesLeft: 7 }, claims);
      return claims;
    },

    /** Claims as a process with nothing in flight, unless `inFlight` is passed. */
    async claim(changes: Partial<ClaimLimits> = {}, inFlight = createInFlight()): Promise<Claim[]> {
      const { deliveries } = await claimDeliveries(sql, inFlight, claimRequest(now, changes));
      return deliveries.map(({ claim }) => claim);
    },

    /** The unsettled deliveries of the first lease that has ended. */
    async lost(at: Date): Promise<LostClaim[]> {
      const lease = await findLostLease(sql, at);
      return lease === undefined ? [] : findLostClaims(sql, lease);
    },

    queues: (subscriptionId: string) =>
      sql<{ priority: number; in_flight: number; due_at: Date | null; state: string }[]>`
        select priority, in_flight, due_at, state from webhook_subscription_queues where subscription_id = ${subscriptionId} order by priority`,
  };
}

export type DeliveryTables = Awaited<ReturnType<typeof openDeliveryTables>>;

export function newDelivery(organizationId: string, subscriptionId: string, now: Date): NewDelivery {
  return {
    organization_id: organizationId,
    subscription_id: subscriptionId,
    id: newId(),
    event_id: `evt_${now.getTime()}000_1`,
    event_type: 'order.created',
    event_position: null,
    own_body: '{}',
    status: 'pending',
    priority: PRIORITY.first,
    retries_left: 7,
    created: now,
  };
}

export function claimRequest(now: Date, changes: Partial<ClaimLimits> = {}): ClaimLimits {
  return {
    claimId: newId(),
    now,
    leaseUntil: new Date(now.getTime() + 30_000),
    maxItems: 1000,
    maxRetries: 1000,
    freeSlots: 2000,
    includesFailing: true,
    ...changes,
  };
}

export function ended(claim: Claim, now: Date, changes: Partial<Outcome> = {}): Outcome {
  return {
    claim,
    attempt: { at: now.toISOString(), status_code: 200, error: '', duration_ms: 1, response_excerpt: '' },
    counts: true,
    status: 'delivered',
    endedAt: now,
    next: undefined,
    ...changes,
  };
}

export function retryOf(claim: Claim, now: Date, dueInMs: number): Outcome {
  return ended(claim, now, {
    status: 'pending',
    attempt: { at: now.toISOString(), status_code: 500, error: 'status 500', duration_ms: 1, response_excerpt: '' },
    next: { dueAt: new Date(now.getTime() + dueInMs), priority: PRIORITY.retry, retriesLeft: claim.retries_left - 1 },
  });
}
