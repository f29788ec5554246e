import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { FORMULAS } from '../../../platform/csv/testing/formulas.ts';
import { openDemandShop } from '../testing/demand-shop.ts';

const { ask, uploaded } = await openDemandShop();

type Row = { sku_id: string; product_name_en: string; qty: string; current_qty: string };

async function exported(): Promise<Row[]> {
  return parse((await ask('GET /analytics/sensy/export')).text, { columns: true });
}

describe('GET /analytics/sensy/export', () => {
  it('escapes names that a spreadsheet would evaluate, and leaves numbers unchanged', async () => {
    for (const [index, name] of FORMULAS.entries()) {
      const product = { iv_id: `F${index}`, name_en: name, name_ar: 'x' };
      expect((await ask('POST /products', { body: product })).status, JSON.stringify(name)).toBe(201);
    }
    const rows = FORMULAS.map((_, index) => `F${index}_RUH-1,2026-11-14,2,-3`);
    await uploaded(`sku_id,sale_date,qty,current_qty\n${rows.join('\n')}`);
    const names = new Map((await exported()).map((row) => [row.sku_id, row]));
    for (const [index, name] of FORMULAS.entries()) {
      const row = names.get(`F${index}_RUH-1`);
      expect(row).toMatchObject({ product_name_en: `'${name}`, qty: '2', current_qty: '-3' });
    }
  });

  it.each(['=1+1', ' =2+2', '＝3', "'=4"])('escapes the SKU id %j in a form that an upload accepts', async (ivId) => {
    const created = await ask('POST /products', { body: { iv_id: ivId, name_en: 'Salt', name_ar: 'ملح' } });
    expect(created.status, created.text).toBe(201);
    await uploaded(`sku_id,sale_date,qty\n"'${ivId}_RUH-1",2026-11-14,2`);
    const { text } = await ask('GET /analytics/sensy/export');
    expect((parse(text, { columns: true }) as Row[]).map((row) => row.sku_id)).toContain(`'${ivId}_RUH-1`);
    expect(await uploaded(text)).toMatchObject({ failed: 0 });
    expect((await ask('GET /analytics/sensy/export')).text).toBe(text);
  });
});
