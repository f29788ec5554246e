import type { VendorClient } from '../../channels/contract.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { findInstalls, type Install, noteFaring } from '../apps/index.ts';
import { failed, type Processed, type ProcessTools } from './process-install.ts';
import { faultOf } from './read-payload.ts';
import { type QueuedPayload, type Settlement, settle, takeDue, tryLockInstall } from './sql/queue.ts';
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

const ROWS_AT_ONCE = 8;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Calls to a vendor have ten seconds each and few are made; if the process dies, they are looked at again after this. */
const LEASE_MS = 60_000;

type Other = { row: QueuedPayload; prepared: PreparedPayload } | { row: QueuedPayload; error: unknown };

/** Takes some to itself for a while, asks the vendor about them with no transaction open, then writes and settles each. */
export async function processOthers(
  tools: ProcessTools & { clientFor(install: Install): VendorClient },
  reader: PayloadReader,
  installId: string,
): Promise<Processed> {
  const taken = await take(tools, installId);
  if (taken === undefined) return { fetches: [], more: false, settled: 0 };
  const { install, rows } = taken;
  const others = await Promise.all(
    rows.map(async (row): Promise<Other> => {
      try {
        const call = { ...row, receivedAt: row.received_at };
        return { row, prepared: await reader.prepare(install, call, tools.clientFor(install)) };
      } catch (error) {
        return { row, error };
      }
    }),
  );
  for (const other of others) await settleOther(tools, install, other);
  return { fetches: [], more: true, settled: others.length };
}

function take({ sql, box, ordering }: ProcessTools, installId: string) {
  return inTransaction(sql, async (tx) => {
    if (!(await tryLockInstall(tx, installId))) return undefined;
    const now = ordering.clock.now();
    const rows = await takeDue(tx, installId, { now, rows: ROWS_AT_ONCE, bytes: BYTES_AT_ONCE });
    const [install] = rows.length === 0 ? [] : await findInstalls(tx, box, [installId]);
    if (install === undefined) return undefined;
    const dueAt = new Date(now.getTime() + LEASE_MS);
    await settle(
      tx,
      rows.map((row) => leased(row, dueAt)),
      now,
    );
    return { install, rows };
  });
}

function leased(row: QueuedPayload, dueAt: Date): Settlement {
  return {
    row,
    event: row.event,
    externalOrderId: row.external_order_id,
    status: 'pending',
    outcome: '',
    error: null,
    orderId: null,
    attempts: row.queue_attempts,
    dueAt,
  };
}

/** Each in a transaction of its own: what one may not write is no reason against the others. */
async function settleOther(tools: ProcessTools, install: Install, other: Other): Promise<void> {
  const { row } = other;
  const about =
    'prepared' in other
      ? { event: other.prepared.event, externalOrderId: other.prepared.externalOrderId }
      : { event: row.event, externalOrderId: row.external_order_id };
  const fail = (error: unknown): Settlement => ({
    ...failed(tools, row, {}, faultOf(error), tools.ordering.clock.now()),
    ...about,
  });
  const write = (settlementOf: (tx: Tx) => Promise<Settlement>) =>
    inTransaction(tools.sql, async (tx) => {
      const now = tools.ordering.clock.now();
      const settlement = await settlementOf(tx);
      const hasSucceeded = settlement.status === 'processed';
      const faring = { organizationId: install.organization_id, id: install.id, failed: hasSucceeded ? 0 : 1 };
      if (settlement.dueAt === null) await noteFaring(tx, [{ ...faring, hasSucceeded }], now);
      await settle(tx, [settlement], now);
    });
  if ('error' in other) return write(async () => fail(other.error));
  try {
    await write(async (tx) => {
      const { outcome, orderId, error } = await other.prepared.apply(tx);
      return {
        row,
        ...about,
        status: 'processed',
        outcome,
        error,
        orderId,
        attempts: row.queue_attempts + 1,
        dueAt: null,
      };
    });
  } catch (error) {
    await write(async () => fail(error));
  }
}
