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
      row.cells.push(cell.trim());
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
  const cell = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  // The mark is what spreadsheets know UTF-8 by.
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
