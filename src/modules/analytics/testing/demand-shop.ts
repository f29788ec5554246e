import { expect } from 'vitest';
import { type Reply, type ReplyBody, type TestShop, testShop } from '../../../../test/harness/index.ts';
import { type Clock, type MovableClock, movableClock } from '../../../platform/clock.ts';
import { addDays } from '../../../platform/local-day.ts';
import { seedCatalog } from '../../skus/testing/catalog.ts';

export const TODAY = '2026-11-16';
export const HEADER = 'sku_id,product_name_en,sale_date,qty,unit_price,current_qty,reorder_threshold,buffer';

export type DemandShop = TestShop & {
  clock: MovableClock;
  branchIds: Map<string, string>;
  upload(csv: string | Buffer, headers?: Record<string, string>): Promise<Reply<ReplyBody>>;
  /** Waits until the job has ended; returns its result. */
  jobOf(reply: Reply<ReplyBody>): Promise<ReplyBody>;
  /** Uploads and waits; the result of the job, which must succeed. */
  uploaded(csv: string): Promise<ReplyBody>;
};

/** A shop of three articles in two branches on the 16th of November 2026, eleven o'clock in Riyadh. */
export async function openDemandShop(
  settings: Record<string, string> = {},
  /** For tests with other processes, which use the system clock. */
  realClock?: Clock,
): Promise<DemandShop> {
  const clock = movableClock(new Date(`${TODAY}T08:00:00Z`));
  const opened = await testShop(settings, { clock: realClock ?? clock });
  const { branchIds } = await seedCatalog(
    opened.service.sql,
    opened.shop.id,
    {
      products: [
        { iv_id: 'MILK', name_en: 'Fresh Milk', name_ar: 'حليب طازج', average_price: 6 },
        { iv_id: 'DATES', name_en: 'Ajwa Dates', name_ar: 'تمر عجوة', average_price: 55 },
        { iv_id: 'SALT', name_en: 'Sea Salt', name_ar: 'ملح', average_price: 2 },
      ],
      branches: ['RUH-1', 'JED-1'],
    },
    new Date('2024-11-01T00:00:00Z'),
  );
  const upload = (csv: string | Buffer, headers: Record<string, string> = {}) =>
    opened.ask('POST /analytics/sensy/upload', { raw: csv, headers: { 'content-type': 'text/csv', ...headers } });
  const jobOf = async (reply: Reply<ReplyBody>) => {
    expect(reply.status, reply.text).toBe(202);
    const look = async () => (await opened.ask(`GET /jobs/${reply.body.data.job_id}`)).body;
    await expect.poll(async () => (await look()).finished).not.toBeNull();
    return look();
  };
  return {
    ...opened,
    clock,
    branchIds,
    upload,
    jobOf,
    async uploaded(csv) {
      const job = await jobOf(await upload(csv));
      expect(job).toMatchObject({ status: 'succeeded', error: null });
      return job.result;
    },
  };
}

/** Rows of the last days up to yesterday, so much on each; a weekend sells half as much again. */
export function pastOf(sku: string, qty: number, stock: string, today = TODAY): string {
  const days = 120;
  return Array.from({ length: days }, (_, back) => {
    const date = addDays(today, back - days);
    const isWeekend = [5, 6].includes(new Date(date).getUTCDay());
    return `${sku},,${date},${isWeekend ? qty * 1.5 : qty},2.5,${stock}`;
  }).join('\n');
}
