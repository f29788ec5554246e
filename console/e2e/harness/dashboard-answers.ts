import type { Page } from 'playwright-core';

const DAY_MS = 86_400_000;
const figures = {
  orders: 412,
  revenue: 31240.5,
  average_order_value: 81.57,
  units: 980,
  customers: 301,
  cancelled: 21,
  refunded: 4,
};

function sections(now: number): Record<string, unknown> {
  const at = new Date(now - 600_000).toISOString();
  return {
    summary: {
      currency: 'SAR',
      ...figures,
      previous: figures,
      change: {
        orders: 3.2,
        revenue: 12.4,
        average_order_value: -1.1,
        units: 0,
        customers: null,
        cancelled: 8.5,
        refunded: 0,
      },
    },
    trends: Array.from({ length: 30 }, (_, day) => ({
      date: new Date(now - (29 - day) * DAY_MS).toISOString().slice(0, 10),
      orders: 10 + (day % 7),
      revenue: 900 + (day % 7) * 120 + (day % 3) * 80,
      units: 30,
    })),
    apps: ['jahez', 'salla', 'hungerstation', 'till'].map((app_slug, index) => ({
      app_slug,
      family: 'delivery_app',
      orders: 200 - index * 40,
      revenue: 16010 - index * 3400,
      share: 0.5 - index * 0.12,
      cancelled: 3,
    })),
    alerts: [
      {
        kind: 'cancellation_spike',
        severity: 'warning',
        message_en: 'Cancellations: 18 % of the orders since yesterday, usually 6 %',
        message_ar: 'الإلغاءات: 18% من الطلبات منذ أمس، والمعتاد 6%',
        ref: null,
        at,
      },
      {
        kind: 'low_stock',
        severity: 'critical',
        message_en: 'Low stock: Panadol Advance in RUH-OLAYA has 0 left, its threshold is 10',
        message_ar: 'مخزون منخفض: بنادول أدفانس في RUH-OLAYA بقي منه 0، وحد إعادة الطلب 10',
        ref: 'PAIN-0003_RUH-OLAYA',
        at,
      },
    ],
    activity: ['order.created', 'order.status_changed', 'order.cancelled'].map((type, index) => ({
      id: `evt_${index}`,
      type,
      at,
      order_id: '0193a1f0-7c00-7000-8000-000000000002',
      order_code: `DK-261115-7F3K9${index}`,
      app_slug: 'jahez',
      branch_name: 'Olaya',
      status_from: 'received',
      status: 'dispatched',
      payment_status: 'paid',
      total: 27.5,
      currency: 'SAR',
    })),
    sensy: [1, 4, 9].map((days) => ({
      sku_id: `PAIN-000${days}_RUH-OLAYA`,
      product_name_en: 'Panadol Advance 24 tablets',
      product_name_ar: 'بنادول أدفانس 24 قرص',
      branch_iv_id: 'RUH-OLAYA',
      current_qty: days * 3,
      days_of_cover: days,
      stockout_date: new Date(now + days * DAY_MS).toISOString().slice(0, 10),
    })),
    products: [1, 2, 3, 4, 5].map((place) => ({
      product_id: `PAIN-000${place}`,
      name_en: `Panadol Advance ${place * 12} tablets`,
      name_ar: `بنادول أدفانس ${place * 12} قرص`,
      units: 200 / place,
      revenue: 1050 / place,
      share: 0.1 / place,
    })),
  };
}

/** Answers the dashboard of the page by hand: sections with known numbers, and `failing` ones that could not be read. */
export async function answerDashboard(page: Page, failing: readonly string[] = []): Promise<void> {
  const known = sections(Date.now());
  await page.route('**/api/v1/analytics/dashboard**', (route) => {
    const wanted = new URL(route.request().url()).searchParams.getAll('section');
    const fine = wanted.filter((name) => !failing.includes(name) && name in known);
    const bad = wanted.filter((name) => failing.includes(name));
    return route.fulfill({
      json: {
        organization_id: '0193a1f0-7c00-7000-8000-000000000001',
        range_days: 30,
        fetched_at: new Date().toISOString(),
        data: Object.fromEntries(fine.map((name) => [name, known[name]])),
        ...(bad.length > 0 && { errors: Object.fromEntries(bad.map((name) => [name, 'could not be read'])) }),
      },
    });
  });
}
