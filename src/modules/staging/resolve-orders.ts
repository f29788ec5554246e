import type { Channel, ParsedPayload } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import type { Tx } from '../../platform/database/index.ts';
import { storableJson } from '../../platform/inbound/index.ts';
import type { Install } from '../apps/index.ts';
import { type OrganizationDefaults, readOrganizationDefaults } from '../identity/index.ts';
import { applyVendorUpdates, type OrderUpdate } from '../orders/index.ts';
import { changeUpdate, orderUpdate } from './build-order-update.ts';
import { findCatalog } from './find-catalog.ts';
import type { ProcessingContext } from './processing-context.ts';
import { faultOf, readPayload } from './read-payload.ts';
import { afterUpdate, failed, needsCall, processed } from './settlement.ts';
import type { QueuedPayload, Settlement } from './sql/queue.ts';

type ReadRow = { row: QueuedPayload; reading: ParsedPayload };
type RowUpdate = ReadRow & { update: OrderUpdate; differs: boolean };
/** A payload either becomes an update of an order, or is settled without one. */
type Resolved = { updates: RowUpdate[]; settlements: Settlement[] };

/** Reads payloads of one install and writes the orders that they describe. Returns what became of each, in any order. */
export async function resolveOrders(
  tx: Tx,
  context: ProcessingContext,
  install: Install,
  rows: readonly QueuedPayload[],
  now: Date,
): Promise<Settlement[]> {
  const channel = findChannel(install.app_slug);
  // A payment provider's payloads have their own handler, which calls the vendor.
  if (channel === undefined) return rows.map((row) => needsCall(row, {}, now));
  const defaults = await readOrganizationDefaults(tx, install.organization_id);
  const { read, unreadable } = readRows(context, channel, install, defaults, rows, now);
  const { updates, settlements } = await buildUpdates(tx, context, install, defaults, read, now);
  const results = await applyVendorUpdates(
    tx,
    context.ordering,
    { organizationId: install.organization_id, channel: channelOf(install) },
    updates.map(({ update }) => update),
  );
  const updated = updates.map((one, index) => afterUpdate(context.retries, one, results[index], now));
  return [...unreadable, ...settlements, ...updated];
}

function readRows(
  { retries }: ProcessingContext,
  channel: Channel,
  { settings }: Install,
  { timeZone, currency }: OrganizationDefaults,
  rows: readonly QueuedPayload[],
  now: Date,
): { read: ReadRow[]; unreadable: Settlement[] } {
  const read: ReadRow[] = [];
  const unreadable: Settlement[] = [];
  for (const row of rows) {
    const context = { settings, timeZone: settings.time_zone ?? timeZone, currency, receivedAt: row.received_at };
    try {
      read.push({ row, reading: readPayload(channel, row, context) });
    } catch (error) {
      unreadable.push(failed(retries, row, {}, faultOf(error), now));
    }
  }
  return { read, unreadable };
}

async function buildUpdates(
  tx: Tx,
  { retries }: ProcessingContext,
  install: Install,
  { currency }: OrganizationDefaults,
  read: readonly ReadRow[],
  now: Date,
): Promise<Resolved> {
  const orders = read.flatMap(({ reading }) => (reading.kind === 'order' ? [reading.order] : []));
  const catalog = await findCatalog(tx, install, orders);
  const resolved: Resolved = { updates: [], settlements: [] };
  for (const { row, reading } of read) {
    const { received_at: receivedAt } = row;
    try {
      if (reading.kind === 'ignored') resolved.settlements.push(processed(row, reading, 'ignored'));
      else if (reading.kind === 'fetch') resolved.settlements.push(needsCall(row, reading, now));
      else if (reading.kind === 'change') {
        resolved.updates.push({ row, reading, update: changeUpdate(reading, receivedAt), differs: false });
      } else {
        const raw = storableJson(row.fetched ?? row.payload);
        const context = { ...catalog, installId: install.id, currency, receivedAt, raw };
        resolved.updates.push({ row, reading, ...orderUpdate(reading, context) });
      }
    } catch (error) {
      resolved.settlements.push(failed(retries, row, reading, faultOf(error), now));
    }
  }
  return resolved;
}

const channelOf = ({ id, app_slug, family, kind }: Install) => ({
  organization_app_id: id,
  app_slug,
  channel_family: family,
  channel_kind: kind,
});
