import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitService, isScriptMissing } from '../src/platform/service-return.ts';

describe('awaitService', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks every five seconds until the service answers', async () => {
    const answers = [false, false, true];
    const ping = vi.fn(async () => answers.shift() ?? true);
    const isBack = awaitService(new AbortController().signal, ping);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ping).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isBack).toBe(true);
    expect(ping).toHaveBeenCalledTimes(3);
  });

  it('is false for a service that was not away: a page whose script is missing there does not reload itself again and again', async () => {
    expect(await awaitService(new AbortController().signal, async () => true)).toBe(false);
  });

  it('ends with the page', async () => {
    const ended = new AbortController();
    const ping = vi.fn(async () => false);
    const isBack = awaitService(ended.signal, ping);
    await vi.advanceTimersByTimeAsync(1);
    ended.abort();
    expect(await isBack).toBe(false);
    expect(ping).toHaveBeenCalledTimes(1);
  });
});

describe('isScriptMissing', () => {
  it('knows the messages of browsers', () => {
    const messages = [
      'Failed to fetch dynamically imported module: http://shop/assets/a.js',
      'error loading dynamically imported module: http://shop/assets/a.js',
      'Importing a module script failed.',
      'Unable to preload CSS for /assets/a.css',
    ];
    for (const message of messages) expect(isScriptMissing(new TypeError(message))).toBe(true);
    expect(isScriptMissing(new TypeError('x is undefined'))).toBe(false);
  });
});
