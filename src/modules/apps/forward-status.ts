import {
  type Channel,
  type FulfillmentStatus,
  MissingCredentials,
  type OrderStatus,
  type ReadContext,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import type { Sql } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/problem.ts';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Install } from './install.ts';
import { findInstalls, noteFaring } from './sql.ts';

/** All calls of one push together. */
const PUSH_WITHIN_MS = 10_000;

/** An order whose status is to be told to the vendor it came from. */
export type ForwardedOrder = {
  organizationId: string;
  installId: string;
  id: string;
  transactionId: string;
  status: OrderStatus;
  note: string | undefined;
  fulfillmentMethod: string | null;
  storeId: string | null;
  /** The vendor's last payload of it. */
  raw: string | null;
};

export type Forwarded = {
  /** The app whose vendor was told; nothing when there was no call for it. */
  to: string | null;
  /** Why there was none although the vendor has one. */
  note?: string;
  /** What the vendor takes the status to mean for the goods, where it means anything. */
  fulfillmentStatus?: FulfillmentStatus;
};

export type ForwardStatus = (order: ForwardedOrder) => Promise<Forwarded>;

/**
 * Tells the vendor first. What it refuses, and what it does not answer, is a Problem, and nothing has changed here. Where it is
 * not known whether a lost request was carried out, the vendor is asked; its word counts.
 */
export function createForwardStatus(tools: {
  sql: Sql;
  box: SecretBox;
  now: () => Date;
  clientFor(install: Install, limits: { withinMs: number }): VendorClient;
}): ForwardStatus {
  const { sql, box, now, clientFor } = tools;

  async function noteOutcome(install: Install, hasSucceeded: boolean): Promise<void> {
    const { organization_id: organizationId, id } = install;
    await noteFaring(sql, [{ organizationId, id, failed: hasSucceeded ? 0 : 1, hasSucceeded }], now());
  }

  return async (order) => {
    const [install] = await findInstalls(sql, box, [order.installId]);
    const channel = install && findChannel(install.app_slug);
    const isOurs = install?.organization_id === order.organizationId;
    if (install === undefined || !isOurs || !install.enabled || channel?.push === undefined) return { to: null };
    const client = clientFor(install, { withinMs: PUSH_WITHIN_MS });
    try {
      const isTold = await pushOrAsk(channel, install, order, client, now());
      if (!isTold) return { to: null };
      await noteOutcome(install, true);
      return { to: install.app_slug, ...(isHandedOver(install, order.status) && { fulfillmentStatus: 'Full' }) };
    } catch (error) {
      // An app that was never given credentials cannot push at all; its orders are moved here alone, and the answer says why.
      if (error instanceof MissingCredentials) return { to: null, note: error.message };
      await noteOutcome(install, false);
      throw problemOf(error, install.app_slug);
    }
  };
}

/** To shops an order is fulfilled once it is sent off, to delivery apps when it has arrived. */
function isHandedOver({ family }: Install, status: OrderStatus): boolean {
  return status === 'DELIVERED' || (status === 'DISPATCHED' && family !== 'delivery_app');
}

async function pushOrAsk(
  channel: Channel,
  install: Install,
  order: ForwardedOrder,
  client: VendorClient,
  now: Date,
): Promise<boolean> {
  const { transactionId, id, status, note, fulfillmentMethod, storeId, raw } = order;
  const payload = readerOf(raw === null ? {} : parseExactJson(raw));
  const pushed = { id: transactionId, ownId: id, status, note, fulfillmentMethod, storeId, payload, at: now };
  try {
    return (await channel.push?.(pushed, client, install.settings)) ?? false;
  } catch (error) {
    if (!(error instanceof VendorUnavailable) || !error.mayHaveArrived) throw error;
    if (await isThere(channel, install, order, client, now)) return true;
    throw error;
  }
}

const FORWARD: readonly OrderStatus[] = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];

/** A shop may call what was just sent off completed: past the status is there too. */
function hasReached(found: OrderStatus | undefined, wanted: OrderStatus): boolean {
  if (found === undefined || wanted === 'CANCELLED' || found === 'CANCELLED') return found === wanted;
  return FORWARD.indexOf(found) >= FORWARD.indexOf(wanted);
}

/**
 * Whether the vendor has the order at the status already. What cannot be asked, or read, is no; so is whether it knows that an
 * order was accepted, since one that nobody has accepted yet reads the same.
 */
async function isThere(
  channel: Channel,
  install: Install,
  order: ForwardedOrder,
  client: VendorClient,
  now: Date,
): Promise<boolean> {
  if (channel.fetchOrder === undefined || channel.readOrder === undefined || order.status === 'RECEIVED') return false;
  try {
    const fetched = await channel.fetchOrder(order.transactionId, client, install.settings);
    const context: ReadContext = { settings: install.settings, timeZone: 'UTC', currency: 'SAR', receivedAt: now };
    const reading = channel.readOrder(readerOf(fetched), context);
    return reading.kind === 'order' && hasReached(reading.order.status, order.status);
  } catch {
    return false;
  }
}

export function vendorRefused(appSlug: string, vendorStatus: number, message: string): Problem {
  return new Problem(502, 'Vendor refused', { app_slug: appSlug, vendor_status: vendorStatus, message });
}

export function vendorUnavailable(appSlug: string, message: string): Problem {
  return new Problem(502, 'Vendor unavailable', { app_slug: appSlug, message });
}

function problemOf(error: unknown, appSlug: string): unknown {
  if (error instanceof VendorRefused) return vendorRefused(appSlug, error.vendorStatus, error.message);
  if (error instanceof VendorUnavailable) return vendorUnavailable(appSlug, error.message);
  return error;
}
