import { expect } from 'vitest';
import { call } from '../../../test/harness/index.ts';

export type Goods = { product: string; sku: string; branch: string; barcode: string; name: string };

let made = 0;

/** A product of one's own with some in stock, so that journeys do not take each other's goods. */
export async function makeGoods(
  baseUrl: string,
  token: string,
  given: { branch?: string; stock: number; price: number; name?: string },
): Promise<Goods> {
  const ask = (target: string, body?: unknown) => call(baseUrl, target, { token, ...(body ? { body } : {}) });
  made += 1;
  const number = `${Date.now() % 1e9}${made}`;
  const product = `E2E-${number}`;
  const barcode = `999${number.padStart(10, '0')}`;
  const name = `${given.name ?? 'Cotton pads'} ${number}`;
  const branch = given.branch ?? (await ask('GET /branches?active=true&sort=name_en&limit=1')).body.data[0].iv_id;
  const created = await ask('POST /products', {
    iv_id: product,
    name_en: name,
    name_ar: `قطن ${number}`,
    average_price: given.price,
    barcode,
  });
  expect(created.status).toBe(201);
  const sku = `${product}_${branch}`;
  expect((await ask(`PATCH /skus/${sku}`, { current_qty: given.stock })).status).toBe(200);
  return { product, sku, branch, barcode, name };
}

export async function stockOf(baseUrl: string, token: string, sku: string): Promise<number> {
  return (await call(baseUrl, `GET /skus/${sku}`, { token })).body.current_qty;
}
