import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { isId, newId } from '../../platform/ids.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import { compare, decimal } from '../../platform/money.ts';
import {
  type GatewayProvider,
  type GatewayTransaction,
  MissingCredentials,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/index.ts';
import { canonicalPaymentStatus, lockPaidOrder, type Order, payOrder } from '../orders/index.ts';
import type { PreparedPayload } from '../staging/index.ts';
import type { Paying } from './paying.ts';
import { findPaymentOrder } from './sql/payment-orders.ts';
import {
  findOrderOfTransaction,
  findOrdersByAmount,
  findOrdersByReference,
  insertTransaction,
  lockTransactionByReference,
  type MatchedBy,
  sumRefunds,
  type TransactionRow,
  updateTransaction,
} from './sql/transactions.ts';
import type { StagedCallOf } from './staged-call.ts';
import { dayOfCode, isRefundedWhole, isSameTransaction, toldColumns, transactionAfter } from './transaction.ts';
import { isPriceOf } from './write-state.ts';

const WITHIN_MS = 10 * 60_000;
const MAX_AMOUNT = decimal(1e12);

/**
 * A gateway's telling. It is a hint: with credentials the gateway is asked. Without, what was proven is believed. The
 * transaction is kept whatever becomes of its order, so that money which fits none is seen.
 */
export async function prepareTransaction(
  paying: Paying,
  provider: GatewayProvider,
  install: Install,
  staged: StagedCallOf,
  client: VendorClient,
): Promise<PreparedPayload> {
  const reading = provider.readTransaction(staged.call, staged.context);
  const { event } = reading;
  if (reading.kind === 'ignored') {
    return { event, externalOrderId: null, apply: async () => ({ outcome: 'ignored', orderId: null, error: null }) };
  }
  const told = await askBack(provider, install, reading.transaction, client);
  if (compare(told.amount, MAX_AMOUNT) >= 0) throw new Unreadable('unexpected', 'The amount is too large', 'amount');
  const key = { organizationId: install.organization_id, installId: install.id, reference: told.providerReference };
  const columns = toldColumns(told, staged.context.receivedAt);
  const outcome = await keepTelling(paying, provider, key, columns);
  return {
    event,
    externalOrderId: told.merchantReference ?? told.providerReference,
    apply: async (tx) => ({ outcome, orderId: await matchAndMove(tx, paying, key), error: null }),
  };
}

type TransactionKey = { organizationId: string; installId: string; reference: string };

/** In a transaction of its own, before its order is looked for. */
function keepTelling(
  { sql, clock }: Paying,
  provider: GatewayProvider,
  key: TransactionKey,
  told: ReturnType<typeof toldColumns>,
): Promise<'created' | 'updated' | 'unchanged'> {
  return inTransaction(sql, async (tx) => {
    const now = clock.now();
    const id = newId();
    const isNew = await insertTransaction(tx, {
      organization_id: key.organizationId,
      id,
      provider: provider.id,
      organization_app_id: key.installId,
      provider_reference: key.reference,
      order_id: null,
      matched_by: null,
      ...told,
      created: now,
      updated: now,
    });
    const before = isNew ? undefined : await lockTransactionByReference(tx, key);
    const after = before && transactionAfter(before, told);
    if (before !== undefined && after !== undefined) {
      if (isSameTransaction(before, after)) return 'unchanged';
      await updateTransaction(tx, { ...after, updated: now });
    }
    const entry = { action: isNew ? 'create' : 'update', resource: 'Payments', resourceId: before?.id ?? id };
    await recordAudit(tx, key.organizationId, SYSTEM_ACTOR, [entry], now);
    return isNew ? 'created' : 'updated';
  });
}

async function askBack(
  provider: GatewayProvider,
  { settings }: Install,
  told: GatewayTransaction,
  client: VendorClient,
): Promise<GatewayTransaction> {
  try {
    const asked = await provider.readBack(told.providerReference, client, settings);
    const { merchantReference, parentReference, fee, occurredAt } = told;
    return {
      ...asked,
      // What names the row is what the webhook called it: some gateways answer with the id of the whole payment.
      providerReference: told.providerReference,
      merchantReference: asked.merchantReference ?? merchantReference,
      parentReference: asked.parentReference ?? parentReference,
      fee: asked.fee ?? fee,
      occurredAt: asked.occurredAt ?? occurredAt,
    };
  } catch (error) {
    if (error instanceof MissingCredentials) return told;
    const isVendors = error instanceof VendorRefused || error instanceof VendorUnavailable;
    if (isVendors && isProofEnough(provider, settings)) return told;
    throw error;
  }
}

/**
 * Some gateways sign with the very key that their interface takes. A shop that has set it up for its webhooks alone has not
 * said that we may call: where the signature covers the amount, it is believed if nobody answers.
 */
function isProofEnough({ isOnlyHint }: GatewayProvider, { access_token, client_secret }: Install['settings']): boolean {
  return !isOnlyHint && access_token === undefined && client_secret === undefined;
}

/** The order that it belongs to, moved by it. */
async function matchAndMove(tx: Tx, paying: Paying, key: TransactionKey): Promise<string | null> {
  const row = await lockTransactionByReference(tx, key);
  if (row === undefined) return null;
  const match = row.order_id === null ? await findMatch(tx, row) : undefined;
  const orderId = match?.orderId ?? row.order_id;
  if (orderId === null) return null;
  const now = paying.clock.now();
  const matched = { ...row, order_id: orderId, matched_by: match?.by ?? row.matched_by, updated: now };
  if (match !== undefined) await updateTransaction(tx, matched);
  const order = await lockPaidOrder(tx, key.organizationId, orderId);
  if (order !== undefined) await moveOrder(tx, paying, matched, order);
  if (match !== undefined) {
    const entry = {
      action: 'match',
      resource: 'Payments',
      resourceId: row.id,
      changedFields: ['order_id', 'matched_by'],
    };
    await recordAudit(tx, key.organizationId, SYSTEM_ACTOR, [entry], now);
  }
  return orderId;
}

/** A payment of something else than the order costs is not applied; of a refund, the order's refunds together count. */
export async function moveOrder(tx: Tx, { ordering }: Paying, row: TransactionRow, order: Order): Promise<void> {
  if (row.status !== 'paid' && row.status !== 'refunded') return;
  // A refund of its own may be a part; a payment is whole, also one that was given back since.
  const isOwnRefund = row.status === 'refunded' && row.parent_reference !== null;
  const fits = isOwnRefund ? row.currency === order.currency : isPriceOf(row, order);
  if (!fits) throw amountMismatch(row, order);
  const isPaymentOrder = (await findPaymentOrder(tx, row.organization_id, order.id)) !== undefined;
  if (row.status === 'paid' && canonicalPaymentStatus(order.payment_status) !== 'refunded') {
    await payOrder(tx, ordering, order, { status: 'paid', isPaymentOrder });
  }
  if (row.status === 'refunded' || row.refunded_amount > 0) {
    const refunded = await sumRefunds(tx, row.organization_id, order.id);
    if (!isRefundedWhole(refunded, order.total_amount)) return;
    const current = (await lockPaidOrder(tx, row.organization_id, order.id)) ?? order;
    await payOrder(tx, ordering, current, { status: 'refunded', isPaymentOrder });
  }
}

function amountMismatch(row: TransactionRow, order: Order): Unreadable {
  return new Unreadable(
    'amount_mismatch',
    `The transaction is ${row.amount} ${row.currency}, the order ${order.total_amount} ${order.currency}`,
    'amount',
  );
}

type Match = { orderId: string; by: MatchedBy };

/** By what the shop called it; else the only order of that amount and currency around that time. */
async function findMatch(tx: Tx, row: TransactionRow): Promise<Match | undefined> {
  const { organization_id: organizationId, parent_reference, merchant_reference } = row;
  if (parent_reference !== null) {
    const key = { organizationId, installId: row.organization_app_id, reference: parent_reference };
    const orderId = await findOrderOfTransaction(tx, key);
    if (orderId !== undefined) return { orderId, by: 'reference' };
  }
  if (merchant_reference !== null) {
    const named = await findOrdersByReference(tx, organizationId, merchant_reference, {
      id: isId(merchant_reference) ? merchant_reference.toLowerCase() : null,
      codeDay: dayOfCode(merchant_reference),
    });
    // Two shops of one merchant may count the same way: the amount says which of them it is.
    const fitting = named.length === 1 ? named : named.filter((order) => isPriceOf(row, order));
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return { orderId: only.id, by: 'reference' };
    if (named.length > 0) return undefined;
  }
  if (parent_reference !== null) return undefined;
  const at = row.occurred_at.getTime();
  const [orderId, another] = await findOrdersByAmount(tx, organizationId, {
    amount: row.amount,
    currency: row.currency,
    from: new Date(at - WITHIN_MS),
    to: new Date(at + WITHIN_MS),
  });
  return orderId === undefined || another !== undefined ? undefined : { orderId, by: 'amount_and_time' };
}
