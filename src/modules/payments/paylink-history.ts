import { randomBytes } from 'node:crypto';
import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { PaylinkStatus } from '../../providers/contract.ts';
import { findProvider } from '../../providers/list.ts';
import { sandboxPath, tokenHash } from './sandbox-driver.ts';
import { insertPastPaylink } from './sql/paylinks.ts';
import { insertPaymentOrder } from './sql/payment-orders.ts';
import { insertSandboxPayment } from './sql/sandbox.ts';

/** A past paylink in its final state. */
export type PastPaylink = {
  provider: string;
  organizationAppId: string;
  orderId: string | null;
  status: PaylinkStatus;
  amount: number;
  currency: string;
  /** Origin of the sandbox page. */
  baseUrl: string;
  createdAt: Date;
  updatedAt: Date;
  /** Longer than the provider's links usually live. */
  livesForMinutes?: number;
};

/** Inserts the paylink and its sandbox payment in the same state. An order that is not paid yet becomes a payment order. */
export async function recordPastPaylink(tx: Tx, organizationId: string, past: PastPaylink): Promise<void> {
  const provider = findProvider(past.provider);
  if (provider?.type !== 'bnpl') throw new Error(`${past.provider} makes no payment links`);
  const id = newId();
  const token = randomBytes(32).toString('base64url');
  const livesForMinutes = past.livesForMinutes ?? provider.linkLivesForMinutes;
  const expiresAt = new Date(past.createdAt.getTime() + livesForMinutes * 60_000);
  const isPaid = past.status === 'captured' || past.status === 'refunded';
  const amounts = {
    captured_amount: isPaid ? past.amount : 0,
    refunded_amount: past.status === 'refunded' ? past.amount : 0,
  };
  const common = { organization_id: organizationId, id, provider: past.provider, status: past.status };
  const money = { amount: past.amount, currency: past.currency, ...amounts };
  await insertSandboxPayment(tx, {
    ...common,
    ...money,
    token_hash: tokenHash(token),
    capture_references: isPaid ? [id] : [],
    expires_at: expiresAt,
    created: past.createdAt,
  });
  await insertPastPaylink(tx, {
    ...common,
    ...money,
    organization_app_id: past.organizationAppId,
    order_id: past.orderId,
    url: `${past.baseUrl}${sandboxPath(token)}`,
    provider_reference: id,
    expires_at: expiresAt,
    created: past.createdAt,
    updated: past.updatedAt,
  });
  if (past.orderId === null || isPaid) return;
  await insertPaymentOrder(tx, {
    organization_id: organizationId,
    order_id: past.orderId,
    accepted_gateways: [past.provider],
    active_gateway: past.provider,
    paylink_id: id,
    created: past.createdAt,
  });
}
