import { encode } from 'uqr';
import type { invoiceShape } from '../schema.ts';
import { createSheet, PAGE, type Sheet } from './sheet.ts';
import { formatsOf, type Language, WORDS, type Word } from './words.ts';

export type PrintedInvoice = ReturnType<typeof invoiceShape>;

const SOFT = '#5b6570';
const QR_SIZE = 104;
const FOOT = PAGE.height - 40;

/** Columns of the lines: where they begin, from the reader's start, and their widths. */
const COLUMNS = { line: [0, 243], amount: [251, 80], vat: [339, 88], total: [435, 72] } as const;

/**
 * An A4 tax invoice in the reader's language, with each field named in the other one too. It shows what was issued and nothing that
 * changes later, such as what is left to pay: the same invoice is always the same file.
 */
export async function drawInvoice(invoice: PrintedInvoice, language: Language): Promise<Buffer> {
  const sheet = createSheet({
    direction: language === 'ar' ? 'rtl' : 'ltr',
    language: language === 'ar' ? 'ar-SA' : 'en',
    title: invoice.number,
    author: invoice.seller.name,
    date: new Date(invoice.issued_at),
  });
  let y = drawHead(sheet, invoice, language);
  y = drawParties(sheet, invoice, language, y);
  y = drawLines(sheet, invoice, language, y);
  drawSums(sheet, invoice, language, y);
  sheet.eachPage((nth, count) => {
    const page = WORDS.page[language].replace('{nth}', String(nth)).replace('{count}', String(count));
    sheet.text(invoice.number, 0, FOOT, 200, { size: 8, color: SOFT });
    sheet.text(page, 307, FOOT, 200, { size: 8, color: SOFT, align: 'end' });
  });
  return sheet.end();
}

const otherOf = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

/** A label: the reader's language, then the other one, smaller. */
function label(
  sheet: Sheet,
  word: Word,
  language: Language,
  box: { from: number; y: number; width: number; end?: boolean },
) {
  const align = box.end ? 'end' : 'start';
  sheet.text(WORDS[word][language], box.from, box.y, box.width, { size: 8.5, color: SOFT, align, maxLines: 1 });
  sheet.text(WORDS[word][otherOf(language)], box.from, box.y + 12, box.width, {
    size: 7.5,
    color: SOFT,
    align,
    maxLines: 1,
  });
}

function drawHead(sheet: Sheet, invoice: PrintedInvoice, language: Language): number {
  const { month } = formatsOf(language);
  const top = PAGE.margin;
  sheet.text(WORDS.taxInvoice[language], 0, top, 340, { size: 22, bold: true });
  sheet.text(WORDS.taxInvoice[otherOf(language)], 0, top + 33, 340, { size: 13, color: SOFT });
  label(sheet, 'number', language, { from: 0, y: top + 66, width: 160 });
  sheet.text(invoice.number, 0, top + 90, 160, { size: 11, bold: true });
  label(sheet, 'period', language, { from: 180, y: top + 66, width: 160 });
  sheet.text(month(invoice.period), 180, top + 90, 160, { size: 11, bold: true });
  sheet.matrix(encode(invoice.qr, { border: 0 }).data, sheet.contentWidth - QR_SIZE, top + 2, QR_SIZE);
  return top + 124;
}

function drawParties(
  sheet: Sheet,
  { seller, buyer, issued_at, due_date }: PrintedInvoice,
  language: Language,
  top: number,
) {
  const { day, time } = formatsOf(language);
  sheet.line(top);
  const sellerNames = { en: seller.name, ar: seller.name_ar };
  const buyerNames = { en: buyer.name_en, ar: buyer.name_ar };
  const bottoms = [
    drawParty(sheet, 'seller', { ...seller, names: sellerNames }, language, 0, top + 12),
    drawParty(sheet, 'buyer', { ...buyer, names: buyerNames }, language, 190, top + 12),
  ];
  label(sheet, 'issued', language, { from: 380, y: top + 12, width: 127 });
  const issuedHeight = sheet.text(time(issued_at), 380, top + 38, 127, { maxLines: 2 });
  label(sheet, 'due', language, { from: 380, y: top + 46 + issuedHeight, width: 127 });
  const dueHeight = sheet.text(day(due_date), 380, top + 72 + issuedHeight, 127, { maxLines: 2 });
  return Math.max(...bottoms, top + 72 + issuedHeight + dueHeight) + 14;
}

type Party = { names: Record<Language, string>; vat_number: string; address: string };

function drawParty(sheet: Sheet, word: Word, party: Party, language: Language, from: number, top: number): number {
  const width = 174;
  label(sheet, word, language, { from, y: top, width });
  const [name, other] = [party.names[language], party.names[otherOf(language)]];
  let y = top + 26;
  if (name !== '') y += sheet.text(name, from, y, width, { size: 10.5, bold: true });
  if (other !== '' && other !== name) y += sheet.text(other, from, y, width, { color: SOFT });
  if (party.vat_number !== '') {
    y += sheet.text(`${WORDS.vatNumber[language]} ${party.vat_number}`, from, y + 2, width, { size: 9 }) + 2;
  }
  if (party.address !== '') y += sheet.text(party.address, from, y, width, { size: 9, maxLines: 4 });
  return y;
}

function drawColumns(sheet: Sheet, language: Language, top: number): number {
  sheet.box(0, top, sheet.contentWidth, 32, '#f2f4f6');
  label(sheet, 'line', language, { from: 8, y: top + 4, width: COLUMNS.line[1] });
  for (const name of ['amount', 'vat', 'total'] as const) {
    const [from, width] = COLUMNS[name];
    label(sheet, name, language, { from: from - 8, y: top + 4, width, end: true });
  }
  return top + 40;
}

function drawLines(sheet: Sheet, { lines }: PrintedInvoice, language: Language, top: number): number {
  const { amount } = formatsOf(language);
  let y = drawColumns(sheet, language, top);
  for (const line of lines) {
    if (y > FOOT - 50) {
      sheet.addPage();
      y = drawColumns(sheet, language, PAGE.margin);
    }
    const names = { en: line.name_en, ar: line.name_ar };
    const name = names[language] || names[otherOf(language)] || line.code;
    const title = `${WORDS[line.kind === 'service' ? 'service' : 'branch'][language]} ${name}`;
    const figure = (column: keyof typeof COLUMNS, text: string) => {
      const [from, width] = COLUMNS[column];
      sheet.text(text, from - 8, y, width, { align: 'end', maxLines: 1 });
    };
    figure('amount', amount(line.amount_sar));
    figure('vat', `${amount(line.vat_sar)} (${line.vat_percent}%)`);
    figure('total', amount(line.total_sar));
    y += sheet.text(title, 8, y, COLUMNS.line[1] - 8, { maxLines: 2 }) + 5;
    sheet.line(y - 3, '#e7eaed', 0.5);
  }
  return y;
}

function drawSums(sheet: Sheet, invoice: PrintedInvoice, language: Language, top: number): void {
  const { amount } = formatsOf(language);
  const rows = [
    ['sumAmount', invoice.amount_sar],
    ['sumVat', invoice.vat_sar],
    ['sumTotal', invoice.total_sar],
  ] as const;
  let y = top + 8;
  if (y + rows.length * 30 > FOOT - 10) {
    sheet.addPage();
    y = PAGE.margin;
  }
  for (const [word, value] of rows) {
    const isLast = word === 'sumTotal';
    if (isLast) sheet.line(y - 4);
    label(sheet, word, language, { from: 250, y, width: 150 });
    sheet.text(amount(value), 400, y + 3, 99, { align: 'end', bold: isLast, size: isLast ? 12 : 10, maxLines: 1 });
    y += 30;
  }
}
