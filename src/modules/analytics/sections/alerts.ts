import { type InstallOutline, listInstallOutlines, statusOf } from '../../apps/index.ts';
import { type Cancellations, sumCancellations } from '../../sales/index.ts';
import { listLowStock, type Stock } from '../../skus/index.ts';
import { listTroubledSubscriptions, type TroubledSubscription } from '../../webhooks/index.ts';
import { addDays } from '../days.ts';
import type { Readings } from '../readings.ts';
import type { Alert } from '../schema.ts';
import { SECTION_ITEMS } from '../section-providers.ts';

/** Yesterday and today are held against the four weeks before. */
const LATE_DAYS = 2;
const EARLIER_DAYS = 28;
/** With fewer, a share says little. */
const FEWEST_CANCELLED = 5;
const LEAST_SHARE = 0.1;
const TIMES_AS_MANY = 2;

/** What somebody should look at, the gravest first. What concerns the whole organization is not for one branch's eyes. */
export async function readAlerts(readings: Readings): Promise<Alert[]> {
  const { sources, scope, now } = readings;
  const { sql, readBilling } = sources;
  // One after the other: three are read by key, and whoever asks for all sections has connections enough in use.
  const lowStock = await listLowStock(sql, scope, SECTION_ITEMS);
  const cancellations = await readCancellations(readings);
  const alerts = [...lowStock.map(ofStock), ...ofCancellations(cancellations, now)];
  if (scope.branchId === null) {
    const troubled = await listTroubledSubscriptions(sql, scope.organizationId);
    const installs = await listInstallOutlines(sql, scope.organizationId);
    const { overdueSar } = await readBilling(scope.organizationId);
    alerts.push(
      ...troubled.map(ofSubscription),
      ...installs.filter((install) => statusOf(install) === 'failing').map(ofInstall),
      ...ofDebt(overdueSar, now),
    );
  }
  return alerts.sort((one, other) => rank(one) - rank(other) || (one.at > other.at ? -1 : 1));
}

const rank = ({ severity }: Alert) => (severity === 'critical' ? 0 : 1);

async function readCancellations({ sources, scope, periods, versions }: Readings): Promise<Cancellations> {
  const { latest } = await versions();
  const lately = addDays(periods.to, 1 - LATE_DAYS);
  const span = { from: addDays(lately, -EARLIER_DAYS), lately, to: periods.to };
  const name = `cancellations ${scope.branchId} ${periods.to}`;
  // The version was read before the sums: at worst they are newer than it says, and read once more the next time.
  return sources.kept.get(scope.organizationId, name, latest, async () => ({
    version: latest,
    value: await sumCancellations(sources.sql, scope, span),
  }));
}

function ofStock(stock: Stock): Alert {
  const { sku_iv_id, branch_iv_id, current_qty, reorder_threshold } = stock;
  return {
    kind: 'low_stock',
    severity: current_qty <= 0 ? 'critical' : 'warning',
    message_en: `Low stock: ${stock.name_en || sku_iv_id} in ${branch_iv_id} has ${current_qty} left, its threshold is ${reorder_threshold}`,
    message_ar: `مخزون منخفض: ${stock.name_ar || stock.name_en || sku_iv_id} في ${branch_iv_id} بقي منه ${current_qty}، وحد إعادة الطلب ${reorder_threshold}`,
    ref: sku_iv_id,
    at: stock.updated.toISOString(),
  };
}

function ofSubscription({ id, url, is_disabled, since }: TroubledSubscription): Alert {
  return {
    kind: 'failing_webhook',
    severity: is_disabled ? 'critical' : 'warning',
    message_en: is_disabled
      ? `Webhook disabled: ${url} gets no events`
      : `Webhook failing: ${url} does not take events`,
    message_ar: is_disabled ? `ويب هوك معطل: ${url} لا تصله الأحداث` : `ويب هوك متعثر: ${url} لا يستقبل الأحداث`,
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
