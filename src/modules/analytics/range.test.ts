import { describe, expect, test } from 'vitest';
import { readRangeDays } from './range.ts';

describe('a range', () => {
  test.each([
    ['7', 7],
    ['7d', 7],
    ['30', 30],
    ['30d', 30],
    ['', 30],
    ['90', 90],
    ['90d', 90],
    ['180', 180],
    ['180d', 180],
    ['1y', 365],
    ['365', 365],
    ['365d', 365],
    [undefined, 30],
    [null, 30],
    ['8', 30],
    ['07', 30],
    ['7D', 30],
    ['1Y', 30],
    [' 7', 30],
    ['7 ', 30],
    ['7.0', 30],
    ['-7', 30],
    ['1e1', 30],
    ['365days', 30],
    ['2y', 30],
    ['constructor', 30],
    ['٧', 30],
    [['7', '90'], 7],
    [['', '90'], 30],
    [[], 30],
  ])('%j is %i days', (raw, days) => {
    expect(readRangeDays(raw)).toBe(days);
  });
});
