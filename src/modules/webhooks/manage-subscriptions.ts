import type { Sql, Tx } from '../../platform/database/index.ts';
import { updatedAfter } from '../../platform/http/preconditions.ts';
import { conflict, notFound, type Problem, unprocessable } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Network } from '../../platform/outbound/address-policy.ts';
import type { Resolve } from '../../platform/outbound/resolve-host.ts';
import { checkRegistration } from '../../platform/outbound/target-url.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { type Actor, type AuditEntry, recordAudit, updateEntries } from '../audit/index.ts';
import { EVENT_TYPES, readLastWritten } from '../events/index.ts';
import type { SubscriptionChangeInput } from './schema.ts';
import { newSecret, secretHint } from './signature.ts';
import { lockQueues, updateQueues } from './sql/subscription-queues.ts';
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  lockSubscription,
  lockSubscriptionCount,
  updateSubscription,
} from './sql/subscriptions.ts';
import { MAX_SUBSCRIPTIONS, ROTATION_OVERLAP_MS, type Subscription } from './subscription.ts';

/** What decides whether an address may be called. */
export type AddressRules = { allowed: readonly Network[]; resolve: Resolve };

/** The fields that a caller may change, in the order of the API. */
const CHANGEABLE = ['url', 'description', 'event_types', 'status'] as const;

export type SubscriptionKey = { organizationId: string; id: string };

/**
 * Resolves the host name, so it runs before any transaction is open. The fault is returned, not thrown: for a repeated idempotency key the
 * stored response takes precedence, whatever the name resolves to by now.
 */
export async function findAddressFault(rules: AddressRules, url: string): Promise<Problem | undefined> {
  const checked = await checkRegistration(url, rules.allowed, rules.resolve);
  return checked.ok ? undefined : unprocessable({ url: checked.reason });
}

/** Sorted and without duplicates. */
export function checkEventTypes(given: string[]): string[] {
  const unknown = given.filter((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown.length > 0) {
    throw unprocessable({ event_types: `unknown: ${unknown.join(', ')}; must be among ${EVENT_TYPES.join(', ')}` });
  }
  return [...new Set(given)].sort();
}

export async function createSubscription(
  tx: Tx,
  box: SecretBox,
  input: { organizationId: string; url: string; description: string; eventTypes: string[]; now: Date },
  actor: Actor,
): Promise<{ subscription: Subscription; secret: string }> {
  if ((await lockSubscriptionCount(tx, input.organizationId)) >= MAX_SUBSCRIPTIONS) {
    throw conflict('Too many webhook subscriptions', { limit: MAX_SUBSCRIPTIONS });
  }
  const secret = newSecret();
  const subscription = await insertSubscription(tx, {
    organization_id: input.organizationId,
    id: newId(),
    url: input.url,
    description: input.description,
    event_types: input.eventTypes,
    secret: box.seal(secret),
    secret_hint: secretHint(secret),
    created: input.now,
    after_outbox_id: await readLastWritten(tx),
  });
  await recordAudit(tx, input.organizationId, actor, [entryOf('create', subscription.id)], input.now);
  return { subscription, secret };
}

/** Activating a subscription resets its health. */
export async function changeSubscription(
  tx: Tx,
  key: SubscriptionKey,
  change: SubscriptionChangeInput,
  actor: Actor,
  now: Date,
  checkVersion: (before: Subscription) => void = () => undefined,
): Promise<Subscription> {
  const before = await getLocked(tx, key);
  checkVersion(before);
  const eventTypes = change.event_types === undefined ? before.event_types : checkEventTypes(change.event_types);
  const status = change.status ?? before.status;
  const revived = status === 'active' && before.status !== 'active';
  const failingSince = revived ? null : before.failing_since;
  const after = await updateSubscription(tx, before, {
    url: change.url ?? before.url,
    description: change.description ?? before.description,
    event_types: eventTypes,
    status,
    disabled_reason: status === 'disabled' ? before.disabled_reason : '',
    failing_since: failingSince,
    updated: updatedAfter(before.updated, now),
  });
  if (status !== before.status) {
    await lockQueues(tx, [key.id]);
    await updateQueues(tx, key.id, status, failingSince !== null);
  }
  const entries = updateEntries('Webhooks', CHANGEABLE, [{ id: before.id, before, after }]);
  await recordAudit(tx, key.organizationId, actor, entries, now);
  return after;
}

/** Deletes the log as well: a short one at once, a long one in the background. */
export async function removeSubscription(tx: Tx, key: SubscriptionKey, actor: Actor, now: Date): Promise<void> {
  const { organization_id, id } = await getLocked(tx, key);
  await lockQueues(tx, [id]);
  await deleteSubscription(tx, organization_id, id);
  await recordAudit(tx, organization_id, actor, [entryOf('delete', id)], now);
}

/** The current secret stays valid for a day, together with the new one. */
export async function rotateSecret(
  tx: Tx,
  box: SecretBox,
  key: SubscriptionKey,
  actor: Actor,
  now: Date,
): Promise<{ subscription: Subscription; secret: string }> {
  const before = await getLocked(tx, key);
  const secret = newSecret();
  const subscription = await updateSubscription(tx, before, {
    secret: box.seal(secret),
    secret_hint: secretHint(secret),
    previous_secret: before.secret,
    rotation_ends_at: new Date(now.getTime() + ROTATION_OVERLAP_MS),
    updated: now,
  });
  const entry = { ...entryOf('rotate-secret', before.id), changedFields: ['secret'] };
  await recordAudit(tx, key.organizationId, actor, [entry], now);
  return { subscription, secret };
}

export async function getSubscription(sql: Sql, { organizationId, id }: SubscriptionKey): Promise<Subscription> {
  const row = isId(id) ? await findSubscription(sql, organizationId, id) : undefined;
  if (row === undefined) throw subscriptionNotFound(id);
  return row;
}

export async function getLocked(tx: Tx, { organizationId, id }: SubscriptionKey): Promise<Subscription> {
  const row = isId(id) ? await lockSubscription(tx, organizationId, id) : undefined;
  if (row === undefined) throw subscriptionNotFound(id);
  return row;
}

export function entryOf(action: string, subscriptionId: string): AuditEntry {
  return { action, resource: 'Webhooks', resourceId: subscriptionId };
}

export function subscriptionNotFound(id: string) {
  return notFound('Webhook subscription not found', { id });
}

export function deliveryNotFound(id: string) {
  return notFound('Webhook delivery not found', { id });
}
