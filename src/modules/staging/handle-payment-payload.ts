import type { VendorClient } from '../../channels/contract.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Install } from '../apps/index.ts';
import type { ProcessingContext } from './processing-context.ts';
import { failPayload, settlePayload } from './settle-payloads.ts';
import type { QueuedPayload } from './sql/queue.ts';
import type { PayloadError, StagedCallRow } from './staged-payload.ts';

/** What became of a payload that is no order. */
export type OtherOutcome = {
  outcome: 'created' | 'updated' | 'unchanged' | 'ignored';
  orderId: string | null;
  error: PayloadError | null;
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
  context: ProcessingContext,
  handler: PayloadReader,
  install: Install,
  row: QueuedPayload,
  client: VendorClient,
): Promise<boolean> {
  let prepared: PreparedPayload;
  try {
    prepared = await handler.prepare(install, { ...row, receivedAt: row.received_at }, client);
  } catch (error) {
    await failPayload(context, install, row, error);
    return false;
  }
  const { event, externalOrderId } = prepared;
  try {
    await settlePayload(context, install, async (tx) => ({
      row,
      event,
      externalOrderId,
      status: 'processed',
      ...(await prepared.apply(tx)),
      attempts: row.queue_attempts,
      dueAt: null,
    }));
  } catch (error) {
    await failPayload(context, install, { ...row, event, external_order_id: externalOrderId }, error);
  }
  return true;
}
