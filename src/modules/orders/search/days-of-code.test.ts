import { expect, it } from 'vitest';
import { daysOfCode } from './days-of-code.ts';

it.each<[string, [string, string] | undefined]>([
  ['DK-2', ['2020-01-01', '2030-01-01']],
  ['DK-26', ['2026-01-01', '2027-01-01']],
  ['DK-260', ['2026-01-01', '2026-10-01']],
  ['DK-261', ['2026-10-01', '2027-01-01']],
  ['DK-2602', ['2026-02-01', '2026-03-01']],
  ['DK-26022', ['2026-02-20', '2026-03-01']],
  ['DK-240229', ['2024-02-29', '2024-03-01']],
  ['DK-261118', ['2026-11-18', '2026-11-19']],
  ['DK-261118-', ['2026-11-18', '2026-11-19']],
  ['DK-261118-7F3', ['2026-11-18', '2026-11-19']],
  ['DK-261118-7F3K9Q', ['2026-11-18', '2026-11-19']],
  ['DK-261118-7F3K9QX', undefined],
  ['DK-26-7', undefined],
  ['DK-262', undefined],
  ['DK-261132', undefined],
  ['DK-260230', undefined],
  ['DK-', undefined],
  ['DK', undefined],
  ['261118', undefined],
])('%s', (text, days) => {
  const range = daysOfCode(text);
  expect(range && [range.from, range.to].map((instant) => instant.toISOString().slice(0, 10))).toEqual(days);
});
