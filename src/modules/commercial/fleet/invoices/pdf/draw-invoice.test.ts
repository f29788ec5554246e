import { describe, expect, it } from 'vitest';
import { FeeInvoice } from '../schema.ts';
import { readPdf } from '../testing/read-pdf.ts';
import { drawInvoice, type PrintedInvoice } from './draw-invoice.ts';

const { examples } = FeeInvoice as unknown as { examples: [PrintedInvoice] };
const [EXAMPLE] = examples;

describe('an invoice as PDF', () => {
  it.each([
    [
      'en',
      ['Tax invoice', 'فاتورة ضريبية', 'Najd Pharmacies', 'صيدليات نجد', '1 November 2026 at 03:07', 'Branch Olaya'],
    ],
    ['ar', ['فاتورة ضريبية', 'Tax invoice', 'صيدليات نجد', 'Najd Pharmacies', '1 نوفمبر 2026 في 03:07', 'فرع العليا']],
  ] as const)('has names, dates and amounts in the order of the reader, %s', async (language, expected) => {
    const { texts, pages } = readPdf(await drawInvoice(EXAMPLE, language));
    expect(pages).toBe(1);
    const found = expected.map((text) => texts.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(texts).toEqual(expect.arrayContaining(['INV-000042', '250.00', '37.50 (15%)', '287.50']));
    expect(texts.filter((text) => text.includes('300000000000003'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('310122393500003'))).toHaveLength(1);
  });

  it('is the same file each time, whatever was paid since', async () => {
    const first = await drawInvoice(EXAMPLE, 'ar');
    expect((await drawInvoice({ ...EXAMPLE, outstanding_sar: 100, status: 'overdue' }, 'ar')).equals(first)).toBe(true);
  });

  it('continues on further pages, and stands odd names', async () => {
    const line = {
      ...EXAMPLE.lines[0],
      name_en: 'W'.repeat(400),
      name_ar: '\u0000\ud800(%\\)',
    } as PrintedInvoice['lines'][0];
    const many = {
      ...EXAMPLE,
      lines: Array.from({ length: 120 }, () => line),
      buyer: { ...EXAMPLE.buyer, name_en: '' },
    };
    for (const language of ['ar', 'en'] as const) {
      const { texts, pages } = readPdf(await drawInvoice(many, language));
      expect(pages).toBeGreaterThan(2);
      expect(texts.filter((text) => text === '250.00').length).toBeGreaterThanOrEqual(120);
    }
  });
});
