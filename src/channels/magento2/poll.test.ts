import { describe, expect, test } from 'vitest';
import { vendorOf } from '../testing/vendor.ts';
import { magento2 } from './index.ts';

describe('polling', () => {
  type Made = { entity_id: number; updated_at: string; grand_total: number };
  const since = new Date('2026-11-15T09:00:00Z');
  const now = new Date('2026-11-15T10:00:00Z');
  const second = (count: number) =>
    new Date(since.getTime() + count * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const order = (entity_id: number, at: number, grand_total = 1): Made => ({
    entity_id,
    updated_at: second(at),
    grand_total,
  });

  /** As the vendor pages: a page beyond the last one is the last one. */
  const shopOf = (orders: () => Made[]) =>
    vendorOf(({ query = {} }) => {
      const from = query['searchCriteria[filter_groups][0][filters][0][value]'] ?? '';
      const matching = orders()
        .filter(({ updated_at }) => updated_at >= from)
        .sort((a, b) => a.updated_at.localeCompare(b.updated_at) || a.entity_id - b.entity_id);
      const pages = Math.max(1, Math.ceil(matching.length / 50));
      const page = Math.min(pages, Number(query['searchCriteria[currentPage]']));
      return { items: matching.slice((page - 1) * 50, page * 50), total_count: matching.length };
    });

  const pollAll = async ({ client }: ReturnType<typeof shopOf>, from: string | undefined) => {
    const ids: unknown[] = [];
    let cursor = from;
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const page = await magento2.poll?.({ cursor, since, now }, client, {});
      ids.push(...(page?.orders ?? []).map((one) => (one as Made).entity_id));
      cursor = page?.cursor;
      if (page?.hasMore !== true) return { ids, cursor: cursor ?? '' };
    }
    throw new Error('no end');
  };

  test('lists changes since the cursor, oldest first', async () => {
    const shop = shopOf(() => [order(2, 5), order(1, 9), order(9, -1)]);
    expect((await pollAll(shop, undefined)).ids).toEqual([2, 1]);
    expect(shop.calls[0]).toMatchObject({
      method: 'GET',
      path: '/V1/orders',
      query: {
        'searchCriteria[filter_groups][0][filters][0][field]': 'updated_at',
        'searchCriteria[filter_groups][0][filters][0][condition_type]': 'gteq',
        'searchCriteria[filter_groups][0][filters][0][value]': '2026-11-15 09:00:00',
        'searchCriteria[sortOrders][0][field]': 'updated_at',
        'searchCriteria[sortOrders][0][direction]': 'ASC',
        'searchCriteria[pageSize]': '50',
        'searchCriteria[currentPage]': '1',
      },
    });
  });

  test('returns a change once, also within a second and after a late commit', async () => {
    let orders = [order(1, 0), order(2, 300)];
    const shop = shopOf(() => orders);
    const first = await pollAll(shop, undefined);
    expect(first.ids).toEqual([1, 2]);
    expect(await pollAll(shop, first.cursor)).toMatchObject({ ids: [] });
    orders = [order(1, 0), order(2, 300, 7), order(3, 200)];
    expect((await pollAll(shop, first.cursor)).ids).toEqual([3, 2]);
  });

  test('passes a second with more changes than a page, and an import', async () => {
    const many = [
      ...Array.from({ length: 350 }, (_, index) => order(index, 10)),
      ...Array.from({ length: 250 }, (_, index) => order(1000 + index, 20 + index)),
    ];
    const shop = shopOf(() => many);
    const { ids, cursor } = await pollAll(shop, undefined);
    expect(ids).toHaveLength(600);
    expect(new Set(ids).size).toBe(600);
    expect(cursor.length).toBeLessThan(20_000);
    expect((await pollAll(shop, cursor)).ids).toEqual([]);
  });

  test('does not repeat ten thousand orders that changed together', async () => {
    const shop = shopOf(() => Array.from({ length: 450 }, (_, index) => order(index, 10)));
    const { cursor } = await pollAll(shop, undefined);
    expect((await pollAll(shop, cursor)).ids).toEqual([]);
  });

  test('returns later changes although an order is dated in the future', async () => {
    const future = { ...order(1, 10), updated_at: '2099-01-01 00:00:00' };
    const skewed = Array.from({ length: 120 }, (_, index) => order(100 + index, 4000 + index));
    let orders = [future, ...skewed, order(2, 20)];
    const shop = shopOf(() => orders);
    const first = await pollAll(shop, undefined);
    expect(first.ids).toHaveLength(122);
    orders = [...orders, order(3, 600)];
    const second = await pollAll(shop, first.cursor);
    expect(second.ids).toContain(3);
    // As an earlier release stored it.
    const stuck = JSON.stringify({ from: '2098-12-31 23:58:00', page: 1, seen: [] });
    expect((await pollAll(shop, stuck)).ids).toContain(3);
  });

  test('does not accept an HTML page as an empty list', async () => {
    const { client } = vendorOf(() => undefined);
    await expect(magento2.poll?.({ cursor: undefined, since, now }, client, {})).rejects.toThrow(
      'not a list of orders',
    );
  });
});
