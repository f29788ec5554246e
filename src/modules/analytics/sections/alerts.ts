import { addDays } from '../../../platform/local-day.ts';
import { type InstallOutline, statusOf } from '../../apps/index.ts';
import { type Cancellations, sumCancellations } from '../../sales/index.ts';
import { listLowStock, type Stock } from '../../skus/index.ts';
import { listTroubledSubscriptions, type TroubledSubscription } from '../../webhooks/index.ts';
import type { Alert } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { SECTION_ITEMS } from './section-names.ts';

/** Yesterday and today are held against the four weeks before. */
const LATE_DAYS = 2;
const EARLIER_DAYS = 28;
/** With fewer, a share says little. */
const FEWEST_CANCELLED = 5;
const LEAST_SHARE = 0.1;
const TIMES_AS_MANY = 2;

/**
 * Conditions that need attention, the most severe first. Each kind is for callers who may read its resource, and what concerns the
 * whole organization is not for an account of one branch, as on the routes of those resources.
 */
export async function readAlerts(context: SectionContext): Promise<Alert[]> {
  const { sources, scope, readable } = context;
  const [ofStocks, ofOrders, ofAll] = await Promise.all([
    readable.has('Products') ? listLowStock(sources.sql, scope, SECTION_ITEMS) : [],
    readable.has('Orders') ? readCancellationSpike(context) : [],
    scope.branchId === null ? readOfOrganization(context) : [],
  ]);
  return [...ofStocks.map(ofStock), ...ofOrders, ...ofAll].sort(
    (one, other) => rank(one) - rank(other) || (one.at > other.at ? -1 : 1),
  );
}

/** Sequentially: each is read by key, and a request for all sections already uses several connections. */
async function readOfOrganization({ sources, scope, readable, now, installs }: SectionContext): Promise<Alert[]> {
  const alerts: Alert[] = [];
  if (readable.has('Webhooks')) {
    alerts.push(...(await listTroubledSubscriptions(sources.sql, scope.organizationId)).map(ofSubscription));
  }
  if (readable.has('Apps')) {
    alerts.push(...(await installs()).filter((install) => statusOf(install) === 'failing').map(ofInstall));
  }
  if (readable.has('Settings')) {
    alerts.push(...ofDebt((await sources.readBilling(scope.organizationId)).overdueSar, now));
  }
  return alerts;
}

const rank = ({ severity }: Alert) => (severity === 'critical' ? 0 : 1);

async function readCancellations({ sources, scope, periods, versions }: SectionContext): Promise<Cancellations> {
  const { latest } = await versions();
  const lately = addDays(periods.to, 1 - LATE_DAYS);
  const span = { from: addDays(lately, -EARLIER_DAYS), lately, to: periods.to };
  const name = `cancellations ${scope.branchId} ${periods.to}`;
  // The version was read before the sums: at worst they are newer than it says, and read once more the next time.
  return sources.cache.get(scope.organizationId, name, latest, async () => ({
    version: latest,
    value: await sumCancellations(sources.sql, scope, span),
  }));
}

async function readCancellationSpike(context: SectionContext): Promise<Alert[]> {
  return ofCancellations(await readCancellations(context), context.now);
}

function ofStock(stock: Stock): Alert {
  const { sku_iv_id, branch_iv_id, current_qty, reorder_threshold } = stock;
  const branchEn = stock.branch_name_en || branch_iv_id;
  const branchAr = stock.branch_name_ar || branchEn;
  return {
    kind: 'low_stock',
    severity: current_qty <= 0 ? 'critical' : 'warning',
    message_en: `Low stock: ${stock.name_en || sku_iv_id} in ${branchEn} has ${current_qty} left, its threshold is ${reorder_threshold}`,
    message_ar: `مخزون منخفض: ${stock.name_ar || stock.name_en || sku_iv_id} في ${branchAr} بقي منه ${current_qty}، وحد إعادة الطلب ${reorder_threshold}`,
    ref: sku_iv_id,
    at: stock.updated.toISOString(),
  };
}

function ofSubscription({ id, url, is_disabled, since }: TroubledSubscription): Alert {
  // Paths and queries of webhook addresses hold tokens.
  const { host } = new URL(url);
  return {
    kind: 'failing_webhook',
    severity: is_disabled ? 'critical' : 'warning',
    message_en: is_disabled
      ? `Webhook disabled: ${host} gets no events`
      : `Webhook failing: ${host} does not take events`,
    message_ar: is_disabled ? `ويب هوك معطل: ${host} لا تصله الأحداث` : `ويب هوك متعثر: ${host} لا يستقبل الأحداث`,
    ref: id,
    at: since.toISOString(),
  };
}

function ofInstall({ id, name_en, name_ar, failures_in_a_row, last_sync_at, updated }: InstallOutline): Alert {
  return {
    kind: 'failing_connector',
    severity: 'critical',
    message_en: `Connector failing: ${name_en} failed ${failures_in_a_row} times in a row`,
    message_ar: `تطبيق متعثر: ${name_ar} تعثر ${failures_in_a_row} مرات متتالية`,
    ref: id,
    at: (last_sync_at ?? updated).toISOString(),
  };
}

export function ofCancellations({ lately, before }: Cancellations, now: Date): Alert[] {
  const share = lately.orders === 0 ? 0 : lately.cancelled / lately.orders;
  const usual = before.orders === 0 ? 0 : before.cancelled / before.orders;
  if (lately.cancelled < FEWEST_CANCELLED || share < LEAST_SHARE || share < usual * TIMES_AS_MANY) return [];
  const percent = Math.round(share * 100);
  const usualPercent = Math.round(usual * 100);
  return [
    {
      kind: 'cancellation_spike',
      severity: 'warning',
      message_en: `Cancellations: ${percent} % of the orders since yesterday, usually ${usualPercent} %`,
      message_ar: `الإلغاءات: ${percent}% من الطلبات منذ أمس، والمعتاد ${usualPercent}%`,
      ref: null,
      at: now.toISOString(),
    },
  ];
}

function ofDebt(overdueSar: number, now: Date): Alert[] {
  if (overdueSar <= 0) return [];
  const amount = overdueSar.toFixed(2);
  return [
    {
      kind: 'overdue_fee',
      severity: 'critical',
      message_en: `Fees overdue: SAR ${amount}`,
      message_ar: `رسوم متأخرة السداد: ${amount} ر.س`,
      ref: null,
      at: now.toISOString(),
    },
  ];
}
