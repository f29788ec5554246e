import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildConsoleWhenStale } from '../../scripts/build-console-when-stale.mjs';
import { firstLoadBytes } from '../build/first-load.ts';

const DIST = path.resolve(import.meta.dirname, '../dist');

it.each([
  // `list`, `dialogs` and so on are chunks of vite.config.ts: one module of theirs that a page needs at first takes the whole chunk along.
  {
    name: 'home',
    bytes: 175_000,
    files: 10,
    without: [
      'list',
      'fields',
      'dialogs',
      'selection',
      'options',
      'orders-page',
      'sign-in-page',
      'menu-list',
      'palette',
    ],
  },
  {
    name: 'orders',
    bytes: 182_000,
    files: 18,
    without: ['fields', 'dialogs', 'selection', 'options', 'home-page', 'date-range', 'menu-list'],
  },
  {
    name: 'products',
    folder: 'catalog/products',
    bytes: 181_000,
    files: 20,
    without: ['fields', 'dialogs', 'selection', 'options', 'group-picker', 'product-form', 'bulk-bar', 'grouped-table'],
  },
])(
  'loads at most $bytes bytes of script and style in $files files for $name, and the rest on demand',
  async (limit) => {
    expect(await buildConsoleWhenStale()).toBe(true);
    const page = firstLoadBytes(DIST, `src/features/${limit.folder ?? limit.name}/${limit.name}-page.tsx`);
    expect(page.total, JSON.stringify(page.files)).toBeLessThan(limit.bytes);
    expect(page.files.length).toBeLessThanOrEqual(limit.files);
    const loaded = page.files.map(([file]) => file).join(' ');
    for (const other of limit.without) expect(loaded).not.toContain(`assets/${other}-`);
  },
);

it('has its fonts from the service, not from another host', async () => {
  expect(await buildConsoleWhenStale()).toBe(true);
  expect(readdirSync(path.join(DIST, 'assets')).filter((name) => name.endsWith('.woff2'))).toHaveLength(4);
});
