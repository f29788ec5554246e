import { describe, expect, it } from 'vitest';
import { movableClock } from '../../platform/clock.ts';
import { createVendorTokens } from './vendor-tokens.ts';

describe('tokens', () => {
  it('are limited in number: the least recently used one is evicted', async () => {
    const tokens = createVendorTokens(movableClock(new Date()), 2);
    const fetched: string[] = [];
    const get = (key: string) =>
      tokens.get(key, async () => {
        fetched.push(key);
        return { headers: {}, livesForSeconds: 3600 };
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(fetched).toEqual(['a', 'b', 'c', 'b']);
  });

  it.each([Number.NaN, 0, -1])('that live for %d seconds are not kept', async (livesForSeconds) => {
    const tokens = createVendorTokens(movableClock(new Date()));
    const first = await tokens.get('a', async () => ({ headers: {}, livesForSeconds }));
    expect(await tokens.get('a', async () => ({ headers: {}, livesForSeconds }))).not.toBe(first);
  });

  it('that could not be fetched are fetched again', async () => {
    const tokens = createVendorTokens(movableClock(new Date()));
    const token = { headers: {}, livesForSeconds: 3600 };
    await expect(tokens.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await tokens.get('a', async () => token)).toBe(token);
  });
});
