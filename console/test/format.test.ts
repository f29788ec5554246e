import { expect, it } from 'vitest';
import { createFormat } from '../src/i18n/format.ts';

it('names files by the day of the organization in both languages, whatever the day of UTC', () => {
  for (const language of ['en', 'ar'] as const) {
    expect(createFormat(language, 'Asia/Riyadh').isoDate('2026-11-18T21:30:00Z')).toBe('2026-11-19');
    expect(createFormat(language, 'America/Los_Angeles').isoDate('2026-11-19T03:00:00Z')).toBe('2026-11-18');
  }
});
