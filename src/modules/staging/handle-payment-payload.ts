import type { VendorClient } from '../../channels/contract.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Install } from '../apps/index.ts';
import type { ProcessingContext } from './processing-context.ts';
import { failPayload, settlePayload } from './settle-payloads.ts';
import type { QueuedPayload } from './sql/queue.ts';
import type { PayloadError, StagedCallRow } from './staged-payload.ts';

/** What became of a payment payload. */
export type OtherOutcome = {
  outcome: 'created' | 'updated' | 'unchanged' | 'ignored';
  orderId: string | null;
  error: PayloadError | null;
};

export type PreparedPayload = {
  event: string;
  externalOrderId: string | null;
  /** Writes the payment in the transaction that settles the payload. Throws Unreadable for contradictory data. */
  apply(tx: Tx): Promise<OtherOutcome>;
};

/** Handles payloads of apps that send payments instead of orders. */
export type PayloadReader = {
  handles(appSlug: string): boolean;
  /** Runs with no transaction open: it may call the vendor. Rejects as a channel does. */
  prepare(install: Install, call: StagedCallRow & { receivedAt: Date }, client: VendorClient): Promise<PreparedPayload>;
};

/** Calls the vendor with no transaction open, then writes and settles. Returns whether the vendor answered. */
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
