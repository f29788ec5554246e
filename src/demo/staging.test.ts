import { beforeAll, describe, expect, it } from 'vitest';
import { amountsDiffer, type ReadContext } from '../channels/contract.ts';
import { findChannel } from '../channels/list.ts';
import type { PastCall } from '../modules/staging/index.ts';
import { Unreadable } from '../platform/inbound/index.ts';
import { toNumber } from '../platform/money.ts';
import type { Shelf } from './baskets.ts';
import { CHANNELS, type DemoInstall } from './channels.ts';
import { generateYear } from './generate-orders.ts';
import { seededRandom } from './random.ts';
import { callsOf, collectRecent } from './staging.ts';
import type { RecentSale } from './vendor-payloads.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const DAY_MS = 86_400_000;

const shelves = ['RUH-1', 'RUH-2'].map(
  (ivId): Shelf => ({
    branchId: `id of ${ivId}`,
    ivId,
    city: 'Riyadh',
    isOpen: true,
    items: [3.5, 17.25, 99.95, 1.05].map((price, index) => ({
      branch_id: `id of ${ivId}`,
      product_iv_id: `P-${index}`,
      sku_iv_id: `P-${index}_${ivId}`,
      name_en: 'Honey',
      name_ar: 'عسل',
      price,
      vat_value: 15,
    })),
  }),
);

const installs = new Map(
  CHANNELS.map(({ slug, storeIdOf }): [string, DemoInstall] => [
    slug,
    { id: `install of ${slug}`, app_slug: slug, settings: {}, storeIds: shelves.map((_, branch) => storeIdOf(branch)) },
  ]),
);

const recent: RecentSale[] = [];
let calls: PastCall[];

beforeAll(() => {
  const trade = { kind: 'grocery' as const, orders: 11_500, buyers: 200 };
  const past = generateYear(trade, 1, shelves, installs, NOW, seededRandom(1));
  const placed = [...collectRecent(past, installs, new Date(NOW.getTime() - 3 * DAY_MS), recent)];
  expect(placed.length).toBeGreaterThan(10_000);
  calls = callsOf(installs, recent, NOW);
});

function read({ install, headers, payload, receivedAt }: PastCall) {
  const context: ReadContext = { settings: {}, timeZone: 'Asia/Riyadh', currency: 'SAR', receivedAt };
  const call = { method: 'POST', path: '', query: {}, headers, body: Buffer.from(payload) };
  return findChannel(install.app_slug)?.read(call, context);
}

describe('what the vendors of the demo have sent', () => {
  it('is a few hundred payloads of six vendors, in order, none in the future', () => {
    expect(calls.length).toBeGreaterThan(150);
    expect(calls.length).toBeLessThan(600);
    const created = calls.filter(({ outcome }) => outcome === 'created');
    expect(new Set(created.map(({ install }) => install.app_slug))).toEqual(
      new Set(['salla', 'zid', 'jahez', 'foodics', 'hungerstation', 'generic']),
    );
    expect(calls.every(({ receivedAt, processedAt }) => receivedAt <= processedAt && processedAt <= NOW)).toBe(true);
  });

  it('parses to the recorded outcome', () => {
    const byOrder = new Map(recent.map((sale) => [sale.id, sale]));
    for (const call of calls.filter(({ outcome }) => outcome !== '')) {
      const reading = read(call);
      const sale = byOrder.get(call.orderId ?? '');
      if (reading?.kind === 'order') {
        const { order } = reading;
        expect([order.id, toNumber(order.totalAmount), amountsDiffer(order, 'SAR')]).toEqual([
          sale?.past.order.source_transaction_id,
          sale?.past.order.total_amount,
          false,
        ]);
        expect(order.storeId).toBe(sale?.past.order.destination_reference);
        expect(order.reference).toBe(sale?.past.order.source_reference);
      } else expect(reading?.kind).toBe(call.outcome === 'ignored' ? 'ignored' : 'change');
      expect(reading?.event).toBe(call.event);
      const stage = sale?.past.stages.find(({ at }) => at.getTime() === call.receivedAt.getTime());
      if (reading?.kind === 'order') expect(reading.order.status).toBe(stage?.order_status);
      if (reading?.kind === 'change')
        expect([reading.orderId, reading.status]).toEqual([call.externalOrderId, stage?.order_status]);
    }
  });

  it('fails with the expected reasons', () => {
    const failed = calls.filter(({ outcome }) => outcome === '');
    expect(new Set(failed.map(({ error }) => error?.code))).toEqual(
      new Set(['missing', 'not_json', 'unexpected', 'credentials_missing', 'order_unknown']),
    );
    for (const call of failed) {
      switch (call.error?.code) {
        case 'credentials_missing':
          expect(read(call)).toMatchObject({ kind: 'fetch', orderId: call.externalOrderId, event: call.event });
          break;
        case 'order_unknown':
          expect(read(call)).toMatchObject({ kind: 'change', orderId: call.externalOrderId, event: call.event });
          break;
        case 'unexpected':
          expect(read(call)).toMatchObject({ kind: 'order', event: call.event, order: { currency: 'RIYAL' } });
          break;
        // Whether an order may lack its total is for those to say who know whether it is stored already.
        case 'missing':
          expect(read(call)).toMatchObject({ kind: 'order', order: { totalPath: call.error.path } });
          break;
        default:
          expect(() => read(call)).toThrow(Unreadable);
          expect(() => read(call)).toThrow(expect.objectContaining(call.error));
      }
    }
  });
});
