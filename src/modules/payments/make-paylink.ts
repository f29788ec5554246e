import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { conflict, notFound } from '../../platform/http/problem.ts';
import { keyReused } from '../../platform/http/write-once.ts';
import { toNumber } from '../../platform/money.ts';
import type { CreatedPaylink, PaylinkRequest } from '../../providers/contract.ts';
import { ingestUrl } from '../apps/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockPaidOrder } from '../orders/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Paywall } from './find-provider.ts';
import type { Once, RequestKey } from './once.ts';
import { ERRAND_MS, LEASE_MS, type Paying } from './paying.ts';
import type { Paylink } from './paylink.ts';
import { underWay, vendorProblem } from './refusals.ts';
import { returnPath } from './return-path.ts';
import {
  countPaylinksOfOrder,
  dropUnmade,
  findPaylinkOfRequest,
  finishPaylink,
  forgetRequest,
  insertPaylink,
} from './sql/paylinks.ts';

export const MAX_PAYLINKS_OF_ORDER = 20;
const WAIT_MS = 15_000;
const PAUSE_MS = 100;

export type NewPaylink = Pick<PaylinkRequest, 'ownId' | 'amount' | 'currency' | 'lineItems' | 'customer'> & {
  organizationId: string;
  orderId: string | null;
  /** The order is placed together with it. */
  isNewOrder?: boolean;
};

export type Making<Row, Given> = {
  baseUrl: string;
  actor: Actor;
  once: Once<Row, Given>;
  /** What else is to be there with the paylink, and what is answered. Its audit entry follows, as the last thing. */
  onMade(tx: Tx, row: Paylink): Promise<Row>;
};

/**
 * Makes a payment at the provider. The row is there before the provider is asked and is shown to nobody until it has
 * answered: if the answer is lost, so is the page, which no customer was sent to.
 */
export async function makePaylink<Row, Given>(
  paying: Paying,
  paywall: Paywall,
  wanted: NewPaylink,
  { baseUrl, actor, once, onMade }: Making<Row, Given>,
): Promise<Given> {
  const { provider, install } = paywall;
  const key = { organizationId: wanted.organizationId, id: wanted.ownId };
  const begun = await begin(paying, paywall, wanted, once);
  if ('kept' in begun) return begun.kept;
  let created: CreatedPaylink;
  try {
    created = await driverOf(paying, paywall, baseUrl).createPaylink(
      { ...wanted, returnUrl: `${baseUrl}${returnPath}`, notifyUrl: ingestUrl(baseUrl, install.id) },
      clientOf(paying, paywall, ERRAND_MS),
      install.settings,
    );
  } catch (error) {
    await dropUnmade(paying.sql, key);
    throw vendorProblem(provider.app.slug, error);
  }
  return once.keep(async (tx) => {
    const now = paying.clock.now();
    const row = await finishPaylink(tx, key, {
      url: created.url,
      providerReference: created.providerReference,
      sessionReference: created.sessionReference ?? null,
      needsPhone: created.needsPhone ?? false,
      expiresAt: created.expiresAt ?? new Date(now.getTime() + provider.linkLivesForMinutes * 60_000),
      now,
    });
    if (row === undefined) throw underWay(key.id);
    const made = await onMade(tx, row);
    const entry = { action: 'create', resource: 'Payments', resourceId: row.id };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return made;
  });
}

/** Under a key that somebody else is making one with, waits for that one. */
async function begin<Row, Given>(
  paying: Paying,
  { provider, install }: Paywall,
  wanted: NewPaylink,
  once: Once<Row, Given>,
): Promise<{ kept: Given } | { begun: true }> {
  const endsAtMs = performance.now() + WAIT_MS;
  for (;;) {
    const kept = await once.findKept();
    if (kept !== undefined) return { kept: kept.given };
    const now = paying.clock.now();
    const isBegun = await inTransaction(paying.sql, async (tx) => {
      if (wanted.orderId !== null && !wanted.isNewOrder) await refuseTooMany(tx, wanted.organizationId, wanted.orderId);
      return insertPaylink(tx, {
        organization_id: wanted.organizationId,
        id: wanted.ownId,
        provider: provider.id,
        organization_app_id: install.id,
        order_id: wanted.orderId,
        amount: toNumber(wanted.amount),
        currency: wanted.currency,
        is_sandbox: install.settings.sandbox === true,
        request_key: once.request?.key ?? null,
        request_fingerprint: once.request?.fingerprint ?? null,
        errand_until: new Date(now.getTime() + LEASE_MS),
        created: now,
        updated: now,
      });
    });
    if (isBegun || once.request === null) return { begun: true };
    const other = await findPaylinkOfRequest(paying.sql, wanted.organizationId, once.request.key);
    if (other !== undefined) await judgeOther(paying, other, once.request, now);
    if (performance.now() > endsAtMs) throw underWay(other?.id ?? wanted.ownId);
    await delay(PAUSE_MS);
  }
}

/** One that was cut off makes room; one under way is waited for, unless it is for something else. */
async function judgeOther(paying: Paying, other: Paylink, { fingerprint }: RequestKey, now: Date): Promise<void> {
  const isUnderWay = !other.is_made && other.errand_until !== null && other.errand_until > now;
  if (isUnderWay && other.request_fingerprint !== fingerprint) throw keyReused();
  if (isUnderWay) return;
  const key = { organizationId: other.organization_id, id: other.id };
  // A made one has its answer in the idempotency store. Where that is no longer kept, neither is the key.
  await (other.is_made ? forgetRequest(paying.sql, key) : dropUnmade(paying.sql, key));
}

/** Held, so that two who make the last one see each other. */
async function refuseTooMany(tx: Tx, organizationId: string, orderId: string): Promise<void> {
  const order = await lockPaidOrder(tx, organizationId, orderId);
  if (order === undefined) throw notFound('Order not found', { id: orderId });
  const total = await countPaylinksOfOrder(tx, organizationId, orderId);
  if (total >= MAX_PAYLINKS_OF_ORDER) {
    throw conflict('Too many paylinks', { order_id: orderId, limit: MAX_PAYLINKS_OF_ORDER });
  }
}
