import type { VendorClient } from '../../channels/contract.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { type Install, recordInstallHealth } from '../apps/index.ts';
import type { ProcessTools } from './process-install.ts';
import { faultOf } from './read-payload.ts';
import { failed } from './settlement.ts';
import { type QueuedPayload, type Settlement, settle } from './sql/queue.ts';
import type { StagedCallRow } from './staged-payload.ts';

/** What became of a payload that is no order. */
export type OtherOutcome = {
  outcome: 'created' | 'updated' | 'unchanged' | 'ignored';
  orderId: string | null;
  error: { code: string; message: string; path: string } | null;
};

export type PreparedPayload = {
  event: string;
  externalOrderId: string | null;
  /** Writes what it says, in the transaction that settles the payload. Throws Unreadable where it may not be believed. */
  apply(tx: Tx): Promise<OtherOutcome>;
};

/** Makes something else than orders of the payloads of some apps: payments. */
export type PayloadReader = {
  handles(appSlug: string): boolean;
  /** No transaction is open: it may ask the vendor. Rejects as a channel does. */
  prepare(install: Install, call: StagedCallRow & { receivedAt: Date }, client: VendorClient): Promise<PreparedPayload>;
};

/** Asks the vendor with no transaction open, then writes and settles. Whether the vendor gave what was asked for. */
export async function handlePaymentPayload(
  tools: ProcessTools,
  handler: PayloadReader,
  install: Install,
  row: QueuedPayload,
  client: VendorClient,
): Promise<boolean> {
  let prepared: PreparedPayload;
  try {
    prepared = await handler.prepare(install, { ...row, receivedAt: row.received_at }, client);
  } catch (error) {
    await failPayload(tools, install, row, error);
    return false;
  }
  const { event, externalOrderId } = prepared;
  try {
    await settleWith(tools, install, async (tx) => ({
      row,
      event,
      externalOrderId,
      status: 'processed',
      ...(await prepared.apply(tx)),
      attempts: row.queue_attempts,
      dueAt: null,
    }));
  } catch (error) {
    await failPayload(tools, install, { ...row, event, external_order_id: externalOrderId }, error);
  }
  return true;
}

/** Retried later, or waits for a person: the error says which. */
export function failPayload(tools: ProcessTools, install: Install, row: QueuedPayload, error: unknown): Promise<void> {
  return settleWith(tools, install, async () => ({
    ...failed(tools, row, {}, faultOf(error), tools.ordering.clock.now()),
    event: row.event,
    externalOrderId: row.external_order_id,
  }));
}

export function settleWith(
  { sql, ordering }: ProcessTools,
  install: Install,
  settlementOf: (tx: Tx) => Promise<Settlement>,
): Promise<void> {
  return inTransaction(sql, async (tx) => {
    const now = ordering.clock.now();
    const settlement = await settlementOf(tx);
    const hasSucceeded = settlement.status === 'processed';
    const health = {
      organizationId: install.organization_id,
      id: install.id,
      failed: hasSucceeded ? 0 : 1,
      hasSucceeded,
    };
    if (settlement.dueAt === null) await recordInstallHealth(tx, [health], now);
    await settle(tx, [settlement], now);
  });
}
