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
import { ingestUrl, vendorProblem } from '../apps/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockPaidOrder } from '../orders/index.ts';
import { whileFree } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import type { ProviderInstall } from './find-provider.ts';
import type { IdempotentCall, RequestKey } from './idempotent-call.ts';
import { isConfirmed, type Paylink } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import { CALLS_MS, LEASE_MS, type PaymentContext } from './payment-context.ts';
import { underWay } from './refusals.ts';
import { returnPath } from './return-path.ts';
import { deletePending } from './settle-operation.ts';
import {
  confirmPaylink,
  countPaylinksOfOrder,
  deleteCreating,
  findPaylinkOfRequest,
  forgetRequest,
  insertPaylink,
} from './sql/paylinks.ts';

export const MAX_PAYLINKS_OF_ORDER = 20;

export type NewPaylink = Pick<PaylinkRequest, 'ownId' | 'amount' | 'currency' | 'lineItems' | 'customer'> & {
  organizationId: string;
  orderId: string | null;
  /** The order is placed in the same transaction. */
  isNewOrder?: boolean;
};

export type CreateOptions<Row, Reply> = {
  baseUrl: string;
  actor: Actor;
  idempotentCall: IdempotentCall<Row, Reply>;
  /** Writes what belongs to the paylink and returns the response. The audit entry follows as the last statement. */
  onCreated(tx: Tx, row: Paylink): Promise<Row>;
};

/**
 * Creates a payment at the provider. The row is inserted before the call with the status `creating`, which the API does not show. If
 * the response is lost, the row is deleted: no customer was sent to the page.
 */
export async function createAtProvider<Row, Reply>(
  payments: PaymentContext,
  providerInstall: ProviderInstall,
  wanted: NewPaylink,
  { baseUrl, actor, idempotentCall, onCreated }: CreateOptions<Row, Reply>,
): Promise<Reply> {
  const { provider, install } = providerInstall;
  const key = { organizationId: wanted.organizationId, id: wanted.ownId };
  const begun = await whileFree(payments, actor, () => begin(payments, providerInstall, wanted, idempotentCall));
  if ('stored' in begun) return begun.stored;
  const { operation } = begun;
  let created: CreatedPaylink;
  try {
    created = await driverOf(payments, providerInstall, baseUrl).createPaylink(
      { ...wanted, returnUrl: `${baseUrl}${returnPath}`, notifyUrl: ingestUrl(baseUrl, install.id) },
      clientOf(payments, providerInstall, CALLS_MS),
      install.settings,
    );
  } catch (error) {
    await deletePending(payments.sql, operation);
    throw vendorProblem(provider.app.slug, error);
  }
  return idempotentCall.store(async (tx) => {
    const now = payments.clock.now();
    const row = await confirmPaylink(tx, key, {
      url: created.url,
      providerReference: created.providerReference,
      sessionReference: created.sessionReference ?? null,
      needsPhone: created.needsPhone ?? false,
      expiresAt: created.expiresAt ?? new Date(now.getTime() + provider.linkLivesForMinutes * 60_000),
      now,
    });
    if (row === undefined || !(await settleOperation(tx, operation))) throw underWay(key.id);
    const made = await onCreated(tx, row);
    const entry = { action: 'create', resource: 'Payments', resourceId: row.id };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return made;
  });
}

type Begun<Reply> = { stored: Reply } | { operation: Operation };

/** Stores the row and the intent. Waits for another request that is creating a paylink under the same key. */
async function begin<Row, Reply>(
  payments: PaymentContext,
  providerInstall: ProviderInstall,
  wanted: NewPaylink,
  idempotentCall: IdempotentCall<Row, Reply>,
): Promise<Begun<Reply>> {
  const { provider, install } = providerInstall;
  const { organizationId, ownId: id } = wanted;
  const stored = await idempotentCall.findStoredResponse();
  if (stored !== undefined) return { stored: stored.reply };
  const now = payments.clock.now();
  const operation = await inTransaction(payments.sql, async (tx) => {
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
      request_key: idempotentCall.request?.key ?? null,
      request_fingerprint: idempotentCall.request?.fingerprint ?? null,
      created: now,
      updated: now,
    });
    if (isFirst) {
      const input = { action: 'create' };
      return beginOperation(tx, operationKey({ organizationId, id }), { id, input, now, leaseMs: LEASE_MS });
    }
    if (idempotentCall.request !== null) await checkOther(tx, organizationId, idempotentCall.request, now);
    return undefined;
  });
  // The other request has just ended, or its key has expired.
  if (operation === undefined) return begin(payments, providerInstall, wanted, idempotentCall);
  return idempotentCall.request === null ? { operation } : storedSince(payments, operation, idempotentCall);
}

/**
 * The other request under the key may have ended between the lookup of its response and the insert, which then finds no conflict.
 * A second lookup after the insert sees the response.
 */
async function storedSince<Row, Reply>(
  { sql }: PaymentContext,
  operation: Operation,
  idempotentCall: IdempotentCall<Row, Reply>,
): Promise<Begun<Reply>> {
  try {
    const stored = await idempotentCall.findStoredResponse();
    if (stored === undefined) return { operation };
    await deletePending(sql, operation);
    return { stored: stored.reply };
  } catch (error) {
    await deletePending(sql, operation);
    throw error;
  }
}

/** Another request under the key: one under way is waited for, one with another body is refused, one that was cut off is settled. */
async function checkOther(tx: Tx, organizationId: string, request: RequestKey, now: Date): Promise<void> {
  const other = await findPaylinkOfRequest(tx, organizationId, request.key);
  if (other === undefined) return;
  const key = { organizationId, id: other.id };
  // The response of a confirmed one is in the idempotency store. If it has expired there, so has the key.
  if (isConfirmed(other)) return forgetRequest(tx, key);
  const operation = await findOperation(tx, operationKey(key));
  if (operation === undefined) return deleteCreating(tx, key);
  if (operation.lease_until > now && other.request_fingerprint !== request.fingerprint) throw keyReused();
  throw new OperationUnderWay(operation);
}

/** Locks the order, so that two concurrent requests cannot both create the last paylink. */
async function refuseTooMany(tx: Tx, organizationId: string, orderId: string): Promise<void> {
  const order = await lockPaidOrder(tx, organizationId, orderId);
  if (order === undefined) throw notFound('Order not found', { id: orderId });
  const total = await countPaylinksOfOrder(tx, organizationId, orderId);
  if (total >= MAX_PAYLINKS_OF_ORDER) {
    throw conflict('Too many paylinks', { order_id: orderId, limit: MAX_PAYLINKS_OF_ORDER });
  }
}
