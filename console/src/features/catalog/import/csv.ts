export type CsvRow = { line: number; cells: string[] };
export type CsvFault = { kind: 'empty' } | { kind: 'encoding' } | { kind: 'quotes'; line: number };

const ROWS_AT_ONCE = 2_000;

/** UTF-8 with or without a byte order mark; anything else would bring in letters that nobody wrote. */
export function readText(bytes: ArrayBuffer): string | CsvFault {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'encoding' };
  }
}

/**
 * Cells parted by commas or semicolons, as the first line has them; those that hold one, a quote or a line break stand in quotes.
 * Leaves the page to others after every few thousand rows.
 */
export async function readCsv(text: string): Promise<CsvRow[] | CsvFault> {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (let isOpen = true; isOpen; ) {
      let cell = '';
      if (text[at] === '"') {
        const opened = line;
        at += 1;
        for (;;) {
          const end = text.indexOf('"', at);
          if (end === -1) return { kind: 'quotes', line: opened };
          const part = text.slice(at, end);
          cell += part;
          line += part.split('\n').length - 1;
          at = end + 1;
          if (text[at] !== '"') break;
          cell += '"';
          at += 1;
        }
      }
      const end = endOfCell(text, at, separator);
      cell += text.slice(at, end);
      row.cells.push(withoutFormulaGuard(cell.trim()));
      at = end;
      isOpen = text[at] === separator;
      if (isOpen) at += 1;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    line += 1;
    if (row.cells.some((cell) => cell !== '')) rows.push(row);
    if (rows.length % ROWS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return rows.length === 0 ? { kind: 'empty' } : rows;
}

function endOfCell(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  return first.split(';').length > first.split(',').length ? ';' : ',';
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  const quoted = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const line = (row: readonly string[]) => row.map((cell) => quoted(guardFormula(cell))).join(',');
  // The mark is what spreadsheets know UTF-8 by.
  return `\uFEFF${rows.map(line).join('\r\n')}\r\n`;
}

/** The same as in the service's exports, which the pages cannot import: what a spreadsheet would calculate. */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n])/u;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;

/** Every cell is text here, and a negative price is to stay a number in the file that is corrected and uploaded again. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Files of rejected rows come back. */
function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
