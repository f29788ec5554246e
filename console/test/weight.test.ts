import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildConsoleWhenStale } from '../../scripts/build-console-when-stale.mjs';
import { firstLoadBytes } from '../build/first-load.ts';

const DIST = path.resolve(import.meta.dirname, '../dist');
const LIMIT_BYTES = 180_000;

it('loads at most 180 kB of script and style for the home page, and other pages on demand', async () => {
  expect(await buildConsoleWhenStale()).toBe(true);
  const home = firstLoadBytes(DIST, 'src/features/home/home-page.tsx');
  expect(home.total, JSON.stringify(home.files)).toBeLessThan(LIMIT_BYTES);
  const loaded = home.files.map(([file]) => file).join(' ');
  for (const other of ['orders-page', 'sign-in-page', 'menu-list', 'palette'])
    expect(loaded).not.toContain(`${other}-`);
  // Fonts are served by the service, not by another host.
  expect(readdirSync(path.join(DIST, 'assets')).filter((name) => name.endsWith('.woff2'))).toHaveLength(4);
});
