import { describe, expect, it } from 'vitest';
import { formatNanoseconds, movableClock, systemClock } from './clock.ts';

describe('system clock', () => {
  it('returns the current time in both units', () => {
    const clock = systemClock();
    const before = Date.now();
    const ms = clock.now().getTime();
    const ns = Number(clock.nowNanoseconds() / 1_000_000n);
    const after = Date.now();
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(after);
    // The finer one may be off by the few milliseconds it tolerates before it anchors anew.
    expect(ns).toBeGreaterThanOrEqual(before - 6);
    expect(ns).toBeLessThanOrEqual(after + 6);
  });

  it('distinguishes two instants within one millisecond', () => {
    const clock = systemClock();
    const stamps = Array.from({ length: 1000 }, () => clock.nowNanoseconds());
    expect(new Set(stamps).size).toBeGreaterThan(900);
  });
});

describe('movable clock', () => {
  it('stands still until it is moved', () => {
    const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
    expect(clock.now()).toEqual(clock.now());
    clock.advanceMs(1500);
    expect(clock.now().toISOString()).toBe('2026-11-15T08:00:01.500Z');
    clock.moveTo(new Date('2027-01-01T00:00:00Z'));
    expect(formatNanoseconds(clock.nowNanoseconds())).toBe('2027-01-01T00:00:00.000000000Z');
  });

  it('hands out dates that cannot be used to move it', () => {
    const clock = movableClock(new Date(0));
    clock.now().setFullYear(1999);
    expect(clock.now().getTime()).toBe(0);
  });
});

describe('nanoseconds in text', () => {
  it.each([
    [0n, '1970-01-01T00:00:00.000000000Z'],
    [1n, '1970-01-01T00:00:00.000000001Z'],
    [1_731_657_600_123_456_789n, '2024-11-15T08:00:00.123456789Z'],
    [1_731_657_600_000_000_010n, '2024-11-15T08:00:00.000000010Z'],
  ])('%s', (ns, text) => {
    expect(formatNanoseconds(ns)).toBe(text);
  });
});
