import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { keyReused } from '../../platform/http/idempotent-write.ts';
import { conflict, notFound } from '../../platform/http/problem.ts';
import { toNumber } from '../../platform/money.ts';
import {
  beginOperation,
  findOperation,
  type Operation,
  OperationUnderWay,
  settleOperation,
} from '../../platform/operations/index.ts';
import type { CreatedPaylink, PaylinkRequest } from '../../providers/contract.ts';
import { ingestUrl } from '../apps/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockPaidOrder } from '../orders/index.ts';
import { whileFree } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import type { ProviderInstall } from './find-provider.ts';
import type { Once, RequestKey } from './once.ts';
import { CALLS_MS, LEASE_MS, type Paying } from './paying.ts';
import type { Paylink } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import { underWay, vendorProblem } from './refusals.ts';
import { returnPath } from './return-path.ts';
import { deletePending } from './settle-operation.ts';
import {
  countPaylinksOfOrder,
  deleteUnmade,
  findPaylinkOfRequest,
  finishPaylink,
  forgetRequest,
  insertPaylink,
} from './sql/paylinks.ts';

export const MAX_PAYLINKS_OF_ORDER = 20;

export type NewPaylink = Pick<PaylinkRequest, 'ownId' | 'amount' | 'currency' | 'lineItems' | 'customer'> & {
  organizationId: string;
  orderId: string | null;
  /** The order is placed together with it. */
  isNewOrder?: boolean;
};

export type Making<Row, Given> = {
  baseUrl: string;
  actor: Actor;
  once: Once<Row, Given>;
  /** What else is to be there with the paylink, and what is answered. Its audit entry follows, as the last thing. */
  onMade(tx: Tx, row: Paylink): Promise<Row>;
};

/**
 * Makes a payment at the provider. The row is there before the provider is asked and is shown to nobody until it has
 * answered: if the answer is lost, so is the page, which no customer was sent to.
 */
export async function makePaylink<Row, Given>(
  paying: Paying,
  providerInstall: ProviderInstall,
  wanted: NewPaylink,
  { baseUrl, actor, once, onMade }: Making<Row, Given>,
): Promise<Given> {
  const { provider, install } = providerInstall;
  const key = { organizationId: wanted.organizationId, id: wanted.ownId };
  const begun = await whileFree(paying, actor, () => begin(paying, providerInstall, wanted, once));
  if ('kept' in begun) return begun.kept;
  const { operation } = begun;
  let created: CreatedPaylink;
  try {
    created = await driverOf(paying, providerInstall, baseUrl).createPaylink(
      { ...wanted, returnUrl: `${baseUrl}${returnPath}`, notifyUrl: ingestUrl(baseUrl, install.id) },
      clientOf(paying, providerInstall, CALLS_MS),
      install.settings,
    );
  } catch (error) {
    await deletePending(paying.sql, operation);
    throw vendorProblem(provider.app.slug, error);
  }
  return once.keep(async (tx) => {
    const now = paying.clock.now();
    const row = await finishPaylink(tx, key, {
      url: created.url,
      providerReference: created.providerReference,
      sessionReference: created.sessionReference ?? null,
      needsPhone: created.needsPhone ?? false,
      expiresAt: created.expiresAt ?? new Date(now.getTime() + provider.linkLivesForMinutes * 60_000),
      now,
    });
    if (row === undefined || !(await settleOperation(tx, operation))) throw underWay(key.id);
    const made = await onMade(tx, row);
    const entry = { action: 'create', resource: 'Payments', resourceId: row.id };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return made;
  });
}

type Begun<Given> = { kept: Given } | { operation: Operation };

/** Stores the row and the intent. Under a key that another request is making one with, that one is waited for. */
async function begin<Row, Given>(
  paying: Paying,
  providerInstall: ProviderInstall,
  wanted: NewPaylink,
  once: Once<Row, Given>,
): Promise<Begun<Given>> {
  const { provider, install } = providerInstall;
  const { organizationId, ownId: id } = wanted;
  const kept = await once.findStoredResponse();
  if (kept !== undefined) return { kept: kept.given };
  const now = paying.clock.now();
  const operation = await inTransaction(paying.sql, async (tx) => {
    if (wanted.orderId !== null && !wanted.isNewOrder) await refuseTooMany(tx, organizationId, wanted.orderId);
    const isFirst = await insertPaylink(tx, {
      organization_id: organizationId,
      id,
      provider: provider.id,
      organization_app_id: install.id,
      order_id: wanted.orderId,
      amount: toNumber(wanted.amount),
      currency: wanted.currency,
      is_sandbox: install.settings.sandbox === true,
      request_key: once.request?.key ?? null,
      request_fingerprint: once.request?.fingerprint ?? null,
      created: now,
      updated: now,
    });
    if (isFirst) {
      const input = { action: 'create' };
      return beginOperation(tx, operationKey({ organizationId, id }), { id, input, now, leaseMs: LEASE_MS });
    }
    if (once.request !== null) await judgeOther(tx, organizationId, once.request, now);
    return undefined;
  });
  // The other request has ended in this moment, or its key counts no more.
  if (operation === undefined) return begin(paying, providerInstall, wanted, once);
  return once.request === null ? { operation } : keptSince(paying, operation, once);
}

/**
 * The other request under the key may have ended between the look at the store and the insert, which its key then no longer
 * stands in the way of. What was inserted after its end sees its answer.
 */
async function keptSince<Row, Given>(
  { sql }: Paying,
  operation: Operation,
  once: Once<Row, Given>,
): Promise<Begun<Given>> {
  try {
    const kept = await once.findStoredResponse();
    if (kept === undefined) return { operation };
    await deletePending(sql, operation);
    return { kept: kept.given };
  } catch (error) {
    await deletePending(sql, operation);
    throw error;
  }
}

/** One under way is waited for, unless it is for something else; one that was cut off is settled, which makes room. */
async function judgeOther(tx: Tx, organizationId: string, request: RequestKey, now: Date): Promise<void> {
  const other = await findPaylinkOfRequest(tx, organizationId, request.key);
  if (other === undefined) return;
  const key = { organizationId, id: other.id };
  // A made one has its answer in the idempotency store. Where that is no longer kept, neither is the key.
  if (other.is_made) return forgetRequest(tx, key);
  const operation = await findOperation(tx, operationKey(key));
  if (operation === undefined) return deleteUnmade(tx, key);
  if (operation.lease_until > now && other.request_fingerprint !== request.fingerprint) throw keyReused();
  throw new OperationUnderWay(operation);
}

/** Held, so that two who make the last one see each other. */
async function refuseTooMany(tx: Tx, organizationId: string, orderId: string): Promise<void> {
  const order = await lockPaidOrder(tx, organizationId, orderId);
  if (order === undefined) throw notFound('Order not found', { id: orderId });
  const total = await countPaylinksOfOrder(tx, organizationId, orderId);
  if (total >= MAX_PAYLINKS_OF_ORDER) {
    throw conflict('Too many paylinks', { order_id: orderId, limit: MAX_PAYLINKS_OF_ORDER });
  }
}
