import { expect, it, vi } from 'vitest';
import type { Product } from '../src/features/catalog/matrix/matrix-data.ts';
import { createEdits, type Edit } from '../src/features/catalog/matrix/matrix-edits.ts';

const milk = { iv_id: 'MILK', updated: '1', name_en: 'Milk', barcode: 'a', average_price: 5 } as Product;
const edit = (before: Partial<Product>, after: Partial<Product>): Edit => ({
  of: 'product',
  product: 'MILK',
  whole: milk,
  before,
  after,
});

/** Runs edits against a row as the page shows it. */
async function run(group: Edit[], product: (base: Product, change: Partial<Product>) => Promise<Product>) {
  let row = milk;
  const done = Promise.withResolvers<{ saved: number; refused: number }>();
  const edits = createEdits(
    { skus: async () => new Map(), product },
    {
      show: (one, values) => {
        row = { ...row, ...(one[values] as Partial<Product>) };
      },
      latest: () => row,
      stored: (_product, values) => {
        row = { ...row, ...values };
      },
      busy: () => undefined,
      done: (saved, refused) => done.resolve({ saved: saved.flat().length, refused: refused.length }),
    },
  );
  edits.make(group);
  edits.flush();
  return { ...(await done.promise), row };
}

it('sends the changed field with the version of the row, and shows what other users have changed', async () => {
  const product = vi.fn(async (base: Product, change: Partial<Product>) => ({
    ...base,
    ...change,
    name_en: 'Fresh milk',
    updated: `${base.updated}+`,
  }));
  const { row, saved } = await run(
    [edit({ barcode: 'a' }, { barcode: 'b' }), edit({ average_price: 5 }, { average_price: 6 })],
    product,
  );
  expect(product.mock.calls.map(([base, change]) => [base.updated, change])).toEqual([
    ['1', { barcode: 'b' }],
    ['1+', { average_price: 6 }],
  ]);
  expect(row).toMatchObject({ barcode: 'b', average_price: 6, name_en: 'Fresh milk', updated: '1++' });
  expect(saved).toBe(2);
});

it('reports nothing when the user keeps the value of another user', async () => {
  const { row, saved, refused } = await run([edit({ barcode: 'a' }, { barcode: 'b' })], async (base) => ({
    ...base,
    barcode: 'theirs',
  }));
  expect(row.barcode).toBe('theirs');
  expect([saved, refused]).toEqual([0, 0]);
});
