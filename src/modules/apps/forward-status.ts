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
import { findInstalls, recordInstallHealth } from './sql.ts';
import { vendorProblem } from './vendor-problem.ts';

/** For all calls of one push together. */
const PUSH_WITHIN_MS = 10_000;

/** An order whose status is pushed to the vendor it came from. */
export type ForwardedOrder = {
  organizationId: string;
  installId: string;
  id: string;
  transactionId: string;
  status: OrderStatus;
  note: string | undefined;
  fulfillmentMethod: string | null;
  storeId: string | null;
  /** The last payload of the vendor. */
  raw: string | null;
};

export type Forwarded = {
  /** The app whose vendor was called; null without a call. */
  to: string | null;
  /** Why there was no call although the vendor has one for the status. */
  note?: string;
  /** The fulfilment status that the vendor derives from the status, if any. */
  fulfillmentStatus?: FulfillmentStatus;
};

/** Pushes the status of a vendor's own order to that vendor. */
export type ForwardStatus = {
  push(order: ForwardedOrder): Promise<PushOutcome>;
  /**
   * Settles a push that was cut off: reads the order at the vendor or, if that is not possible, repeats the push if allowed.
   * Undefined if the vendor does not have the status. Rejects if the outcome cannot be known now, with the problem for a caller who waits.
   */
  recover(order: ForwardedOrder, options: { mayPush: boolean }): Promise<Forwarded | undefined>;
};

export type PushOutcome =
  | { kind: 'updated'; forwarded: Forwarded }
  /** Nothing changed at the vendor. */
  | { kind: 'refused'; problem: Problem }
  /** The request may have been carried out, and the order could not be read at the vendor. */
  | { kind: 'unclear'; problem: Problem; canAsk: boolean; hasAnswered: boolean };

export function createForwardStatus(tools: {
  sql: Sql;
  box: SecretBox;
  now: () => Date;
  clientFor(install: Install, limits: { withinMs: number }): VendorClient;
}): ForwardStatus {
  const { sql, box, now, clientFor } = tools;

  async function recordOutcome(install: Install, hasSucceeded: boolean): Promise<void> {
    const { organization_id: organizationId, id } = install;
    await recordInstallHealth(sql, [{ organizationId, id, failed: hasSucceeded ? 0 : 1, hasSucceeded }], now());
  }

  async function findTarget(order: ForwardedOrder): Promise<PushTarget | undefined> {
    const [install] = await findInstalls(sql, box, [order.installId]);
    const channel = install && findChannel(install.app_slug);
    const isOurs = install?.organization_id === order.organizationId;
    if (install === undefined || !isOurs || !install.enabled || channel?.push === undefined) return undefined;
    return { install, channel, client: clientFor(install, { withinMs: PUSH_WITHIN_MS }), now: now() };
  }

  return {
    async push(order) {
      const target = await findTarget(order);
      if (target === undefined) return { kind: 'updated', forwarded: NOT_FORWARDED };
      const { install } = target;
      try {
        const isUpdated = await pushStatus(target, order);
        if (isUpdated) await recordOutcome(install, true);
        return { kind: 'updated', forwarded: isUpdated ? forwardedTo(install, order) : NOT_FORWARDED };
      } catch (error) {
        // An install without credentials cannot push: the order is changed here only, and the response says why.
        if (error instanceof MissingCredentials)
          return { kind: 'updated', forwarded: { to: null, note: error.message } };
        const unclear = error instanceof VendorUnavailable && error.mayHaveArrived ? error : undefined;
        const reached = unclear ? await askVendor(target, order).catch(() => undefined) : false;
        await recordOutcome(install, reached === true);
        if (reached === true) return { kind: 'updated', forwarded: forwardedTo(install, order) };
        const problem = vendorProblem(install.app_slug, error);
        if (!(problem instanceof Problem)) throw problem;
        if (reached === undefined) {
          return {
            kind: 'unclear',
            problem,
            canAsk: canAsk(target, order),
            hasAnswered: unclear?.hasAnswered ?? false,
          };
        }
        return { kind: 'refused', problem };
      }
    },
    async recover(order, { mayPush }) {
      const target = await findTarget(order);
      if (target === undefined) return undefined;
      const reached = await askVendor(target, order).catch((error: unknown) => {
        if (error instanceof MissingCredentials || error instanceof VendorRefused) return undefined;
        throw vendorProblem(target.install.app_slug, error);
      });
      if (reached !== undefined) return reached ? forwardedTo(target.install, order) : undefined;
      if (!mayPush) return undefined;
      try {
        return (await pushStatus(target, order)) ? forwardedTo(target.install, order) : undefined;
      } catch (error) {
        // Missing credentials or a refusal are final: there is nothing left to recover.
        if (error instanceof MissingCredentials || error instanceof VendorRefused) return undefined;
        throw vendorProblem(target.install.app_slug, error);
      }
    },
  };
}

type PushTarget = { install: Install; channel: Channel; client: VendorClient; now: Date };

const NOT_FORWARDED: Forwarded = { to: null };

function forwardedTo(install: Install, { status }: ForwardedOrder): Forwarded {
  return { to: install.app_slug, ...(isHandedOver(install, status) && { fulfillmentStatus: 'Full' as const }) };
}

/** For web stores an order is fulfilled once it is dispatched, for delivery apps when it is delivered. */
function isHandedOver({ family }: Install, status: OrderStatus): boolean {
  return status === 'DELIVERED' || (status === 'DISPATCHED' && family !== 'delivery_app');
}

async function pushStatus({ channel, install, client, now }: PushTarget, order: ForwardedOrder): Promise<boolean> {
  const { transactionId, id, status, note, fulfillmentMethod, storeId, raw } = order;
  const payload = readerOf(raw === null ? {} : parseExactJson(raw));
  const pushed = { id: transactionId, ownId: id, status, note, fulfillmentMethod, storeId, payload, at: now };
  return (await channel.push?.(pushed, client, install.settings)) ?? false;
}

const FORWARD: readonly OrderStatus[] = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];

/** A store may report a dispatched order as completed: a later status counts as reached. */
function hasReached(found: OrderStatus | undefined, wanted: OrderStatus): boolean {
  if (found === undefined || wanted === 'CANCELLED' || found === 'CANCELLED') return found === wanted;
  return FORWARD.indexOf(found) >= FORWARD.indexOf(wanted);
}

/** RECEIVED cannot be checked: an order that waits for acceptance reads the same. */
function canAsk({ channel }: PushTarget, { status }: ForwardedOrder): boolean {
  return channel.fetchOrder !== undefined && channel.readOrder !== undefined && status !== 'RECEIVED';
}

/** Whether the vendor's order has the status already; undefined if the order cannot be fetched or parsed. */
async function askVendor(target: PushTarget, order: ForwardedOrder): Promise<boolean | undefined> {
  const { channel, install, client, now } = target;
  if (!canAsk(target, order)) return undefined;
  const fetched = await channel.fetchOrder?.(order.transactionId, client, install.settings);
  const context: ReadContext = { settings: install.settings, timeZone: 'UTC', currency: 'SAR', receivedAt: now };
  try {
    const parsed = channel.readOrder?.(readerOf(fetched), context);
    return parsed?.kind === 'order' ? hasReached(parsed.order.status, order.status) : undefined;
  } catch {
    return undefined;
  }
}
