import type { Channel, ParsedPayload } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { storableJson } from '../../platform/inbound/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { findInstalls, type Install, recordInstallHealth } from '../apps/index.ts';
import { type OrganizationDefaults, readOrganizationDefaults } from '../identity/index.ts';
import { applyVendorUpdates, type Ordering, type OrderUpdate, type UpdateResult } from '../orders/index.ts';
import { AMOUNTS_DIFFER, changeTelling, LINES_MISSING, orderUpdate } from './apply-order-update.ts';
import { findCatalog } from './find-catalog.ts';
import { faultOf, type PayloadFault, readPayload } from './read-payload.ts';
import { failed, findExhausted, needsCall, processed, type RetrySchedule } from './settlement.ts';
import { dropPendingOf } from './sql/log.ts';
import { claimToRead, type QueuedPayload, type Settlement, settle } from './sql/queue.ts';

const ROWS_AT_ONCE = 64;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** A batch takes milliseconds; a process that dies leaves its batch to another after this. */
const READ_LEASE_MS = 15_000;

export type ProcessTools = RetrySchedule & { sql: Sql; box: SecretBox; ordering: Ordering };

/** `hasCalls`: some of them need a call to the vendor now. */
export type Processed = { settled: number; hasCalls: boolean };

const NOTHING: Processed = { settled: 0, hasCalls: false };

type Read = { row: QueuedPayload; reading: ParsedPayload } | { row: QueuedPayload; fault: PayloadFault };

/** The next payloads of an install. Each is counted as an attempt before it is read, so that no payload can kill for ever. */
export function claimPayloads({ sql, ordering }: ProcessTools, installId: string): Promise<QueuedPayload[]> {
  const now = ordering.clock.now();
  const leaseUntil = new Date(now.getTime() + READ_LEASE_MS);
  return claimToRead(sql, { installId, claimId: newId(), now, leaseUntil, rows: ROWS_AT_ONCE, bytes: BYTES_AT_ONCE });
}

/**
 * Reads claimed payloads of one install and makes orders of them, in one transaction with what becomes of the payloads: a
 * process that dies leaves all of it or nothing.
 */
export function processPayloads(
  tools: ProcessTools,
  installId: string,
  claimed: readonly QueuedPayload[],
): Promise<Processed> {
  return inTransaction(tools.sql, async (tx) => {
    const now = tools.ordering.clock.now();
    const [first] = claimed;
    if (first === undefined) return NOTHING;
    const [install] = await findInstalls(tx, tools.box, [installId]);
    // A call that was being stored while its install was removed.
    if (install === undefined) await dropPendingOf(tx, first.organization_id, installId);
    if (install === undefined) return NOTHING;
    const { exhausted, left } = findExhausted(tools, claimed, now);
    const settlements = [...exhausted, ...(await readAndWrite(tx, tools, install, left, now))];
    // As they came: an install's health follows from its latest payloads.
    const positionOf = new Map(claimed.map(({ id }, position) => [id, position]));
    settlements.sort((one, other) => (positionOf.get(one.row.id) ?? 0) - (positionOf.get(other.row.id) ?? 0));
    // The install before its queue, in the order in which a removal locks them.
    await recordHealth(tx, install, settlements, now);
    await settle(tx, settlements, now);
    return { settled: settlements.length, hasCalls: settlements.some(({ stage }) => stage === 'call') };
  });
}

/** A payload that the database refuses is retried like a transient failure, and holds up nothing behind it. */
export function deferPayload(tools: ProcessTools, installId: string, row: QueuedPayload): Promise<Processed> {
  return inTransaction(tools.sql, async (tx) => {
    const now = tools.ordering.clock.now();
    const settlements = [failed(tools, row, {}, faultOf(undefined), now)];
    const [install] = await findInstalls(tx, tools.box, [installId]);
    if (install !== undefined) await recordHealth(tx, install, settlements, now);
    await settle(tx, settlements, now);
    return { ...NOTHING, settled: settlements.length };
  });
}

async function readAndWrite(
  tx: Tx,
  tools: ProcessTools,
  install: Install,
  rows: readonly QueuedPayload[],
  now: Date,
): Promise<Settlement[]> {
  const channel = findChannel(install.app_slug);
  // A payment provider's payloads have a handler of their own, which calls the vendor.
  if (channel === undefined) return rows.map((row) => needsCall(row, {}, now));
  const defaults = await readOrganizationDefaults(tx, install.organization_id);
  const read = rows.map((row) => tryToRead(channel, install, defaults, row));
  return writeOrders(tx, tools, install, defaults, read, now);
}

function tryToRead(channel: Channel, install: Install, defaults: OrganizationDefaults, row: QueuedPayload): Read {
  const { settings } = install;
  try {
    const context = {
      settings,
      timeZone: settings.time_zone ?? defaults.timeZone,
      currency: defaults.currency,
      receivedAt: row.received_at,
    };
    return { row, reading: readPayload(channel, row, context) };
  } catch (error) {
    return { row, fault: faultOf(error) };
  }
}

async function writeOrders(
  tx: Tx,
  tools: ProcessTools,
  install: Install,
  defaults: OrganizationDefaults,
  read: readonly Read[],
  now: Date,
): Promise<Settlement[]> {
  const orders = read.flatMap((one) => ('reading' in one && one.reading.kind === 'order' ? [one.reading.order] : []));
  const catalog = await findCatalog(tx, install, orders);
  const settlements: Settlement[] = [];
  const updates: { row: QueuedPayload; reading: ParsedPayload; update: OrderUpdate; differs: boolean }[] = [];
  for (const one of read) {
    if ('fault' in one) {
      settlements.push(failed(tools, one.row, {}, one.fault, now));
      continue;
    }
    const { row, reading } = one;
    try {
      if (reading.kind === 'ignored') settlements.push(processed(row, reading, 'ignored'));
      else if (reading.kind === 'fetch') settlements.push(needsCall(row, reading, now));
      else if (reading.kind === 'change') {
        updates.push({ row, reading, update: changeTelling(reading, row.received_at), differs: false });
      } else {
        const raw = storableJson(row.fetched ?? row.payload);
        const around = {
          ...catalog,
          installId: install.id,
          currency: defaults.currency,
          receivedAt: row.received_at,
          raw,
        };
        updates.push({ row, reading, ...orderUpdate(reading, around) });
      }
    } catch (error) {
      settlements.push(failed(tools, row, reading, faultOf(error), now));
    }
  }
  const results = await applyVendorUpdates(
    tx,
    tools.ordering,
    { organizationId: install.organization_id, channel: channelOf(install) },
    updates.map((one) => one.update),
  );
  for (const [index, { row, reading, differs }] of updates.entries()) {
    settlements.push(settlementOf(tools, row, reading, results[index], differs, now));
  }
  return settlements;
}

const channelOf = ({ id, app_slug, family, kind }: Install) => ({
  organization_app_id: id,
  app_slug,
  channel_family: family,
  channel_kind: kind,
});

const TOO_LARGE: PayloadFault = {
  code: 'too_large',
  message: 'The order is larger than an order may be',
  path: '',
  isTransient: false,
};
const ORDER_UNKNOWN: PayloadFault = {
  code: 'order_unknown',
  message: 'The order that this is about has not come yet',
  path: '',
  isTransient: true,
};
const CONTENDED: PayloadFault = {
  code: 'contended',
  message: 'The order is being written by another request',
  path: '',
  isTransient: true,
};

function settlementOf(
  tools: ProcessTools,
  row: QueuedPayload,
  reading: ParsedPayload,
  result: UpdateResult | undefined,
  differs: boolean,
  now: Date,
): Settlement {
  switch (result?.outcome) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const isWithoutLines = reading.kind === 'order' && result.isWithoutLines;
      const error = isWithoutLines ? LINES_MISSING : differs ? AMOUNTS_DIFFER : null;
      return { ...processed(row, reading, result.outcome), orderId: result.orderId, error };
    }
    case 'incomplete': {
      const message = `${result.missing} is missing`;
      return failed(tools, row, reading, { code: 'missing', message, path: result.missing, isTransient: false }, now);
    }
    case 'too-large':
      return failed(tools, row, reading, TOO_LARGE, now);
    case 'unknown':
      return failed(tools, row, reading, ORDER_UNKNOWN, now);
    default:
      return failed(tools, row, reading, CONTENDED, now);
  }
}

async function recordHealth(tx: Tx, install: Install, settlements: readonly Settlement[], now: Date): Promise<void> {
  const ended = settlements.filter(({ dueAt }) => dueAt === null);
  if (ended.length === 0) return;
  const lastSuccess = settlements.findLastIndex(({ status }) => status === 'processed');
  const failedSince = settlements.slice(lastSuccess + 1).filter(({ status }) => status === 'failed').length;
  await recordInstallHealth(
    tx,
    [{ organizationId: install.organization_id, id: install.id, failed: failedSince, hasSucceeded: lastSuccess >= 0 }],
    now,
  );
}
