/// <reference path="./packages.d.ts" />
import path from 'node:path';
import PDFDocument from 'pdfkit';
import { type Direction, directionOf, orderPieces, type Piece } from './bidi-text.ts';

export const PAGE = { width: 595.28, height: 841.89, margin: 44 };
const FONTS = path.join(import.meta.dirname, 'fonts');
const LINE_HEIGHT = 1.55;
/** More than fits into any column. */
const MAX_CHARACTERS = 400;

type Line = { content: string; pieces: Piece[] };

export type TextStyle = {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'start' | 'end';
  /** More lines than this end in an ellipsis. */
  maxLines?: number;
};

/**
 * Draws on A4 from the reader's start: with `rtl`, `from` counts from the right margin. pdfkit shapes words; lines and their order are
 * made here, because pdfkit puts words from left to right.
 */
export function createSheet(options: {
  direction: Direction;
  language: string;
  title: string;
  author: string;
  date: Date;
}) {
  const { direction, language, title, author, date } = options;
  const doc = new PDFDocument({
    size: 'A4',
    // Nothing is laid out by pdfkit: with a margin it would begin a page by itself near the end.
    margin: 0,
    lang: language,
    bufferPages: true,
    // Of the invoice, so that the same invoice is the same file.
    info: { Title: title, Author: author, CreationDate: date, ModDate: date },
  });
  for (const script of ['latin', 'arabic']) {
    for (const weight of [400, 600]) {
      doc.registerFont(`${script}-${weight}`, path.join(FONTS, `dukkan-sans-${script}-${weight}.ttf`));
    }
  }
  const contentWidth = PAGE.width - 2 * PAGE.margin;
  /** The left edge of a box that begins `from` points from the reader's start. */
  const leftOf = (from: number, width: number) =>
    direction === 'ltr' ? PAGE.margin + from : PAGE.width - PAGE.margin - from - width;

  function widthOf(pieces: readonly Piece[], size: number, bold: boolean): number {
    let width = 0;
    for (const { text, script } of pieces) width += choose(script, size, bold).widthOfString(text);
    return width;
  }
  function choose(script: Piece['script'], size: number, bold: boolean): PDFDocument {
    return doc.font(`${script}-${bold ? 600 : 400}`).fontSize(size);
  }

  /** Breaks at spaces, and in the middle of a word that is longer than a line. */
  function breakLines(text: string, width: number, size: number, bold: boolean, maxLines: number): Line[] {
    const base = directionOf(text, direction);
    const fits = (line: string) => widthOf(orderPieces(line, base), size, bold) <= width;
    const lines: string[] = [];
    let line = '';
    for (let word of text.slice(0, MAX_CHARACTERS).trim().split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      while (!fits(word) && lines.length <= maxLines) {
        const end = longestFitting(word, fits);
        lines.push(word.slice(0, end));
        word = word.slice(end);
      }
      line = word;
      if (lines.length > maxLines) break;
    }
    if (line !== '') lines.push(line);
    if (lines.length > maxLines) {
      const last = lines[maxLines - 1] ?? '';
      const end = fits(`${last}…`) ? last.length : longestFitting(last, (begin) => fits(`${begin}…`));
      lines.splice(maxLines - 1, lines.length, `${last.slice(0, end)}…`);
    }
    return lines.map((content) => ({ content, pieces: orderPieces(content, base) }));
  }

  return {
    contentWidth,
    /** Draws a text into a column and returns its height. */
    text(text: string, from: number, y: number, width: number, style: TextStyle = {}): number {
      const { size = 9.5, bold = false, color = '#1b1f24', align = 'start', maxLines = 3 } = style;
      const lines = breakLines(text, width, size, bold, maxLines);
      const left = leftOf(from, width);
      const isLeft = (direction === 'ltr') === (align === 'start');
      lines.forEach(({ content, pieces }, nth) => {
        // Glyphs are in the order of the eye: search and copy need the text as it is written.
        doc.markContent('Span', { actual: content });
        let x = isLeft ? left : left + width - widthOf(pieces, size, bold);
        for (const piece of pieces) {
          const font = choose(piece.script, size, bold);
          font.fillColor(color).text(piece.text, x, y + nth * size * LINE_HEIGHT, { lineBreak: false });
          x += font.widthOfString(piece.text);
        }
        doc.endMarkedContent();
      });
      return lines.length * size * LINE_HEIGHT;
    },
    line(y: number, color = '#d5d9de', width = 0.7): void {
      doc
        .moveTo(PAGE.margin, y)
        .lineTo(PAGE.width - PAGE.margin, y)
        .lineWidth(width)
        .stroke(color);
    },
    box(from: number, y: number, width: number, height: number, color: string): void {
      doc.rect(leftOf(from, width), y, width, height).fill(color);
    },
    /** Dark squares of a matrix, one path. */
    matrix(cells: readonly (readonly boolean[])[], from: number, y: number, size: number): void {
      const side = size / cells.length;
      const left = leftOf(from, size);
      cells.forEach((row, down) => {
        row.forEach((isDark, across) => {
          if (isDark) doc.rect(left + across * side, y + down * side, side, side);
        });
      });
      doc.fill('#000000');
    },
    addPage: () => void doc.addPage(),
    eachPage(draw: (nth: number, count: number) => void): void {
      const { start, count } = doc.bufferedPageRange();
      for (let index = 0; index < count; index += 1) {
        doc.switchToPage(start + index);
        draw(index + 1, count);
      }
    },
    end(): Promise<Buffer> {
      const parts: Buffer[] = [];
      const { promise, resolve } = Promise.withResolvers<Buffer>();
      doc.on('data', (part) => parts.push(part));
      doc.on('end', () => resolve(Buffer.concat(parts)));
      doc.end();
      return promise;
    },
  };
}

/** By halves: measuring each length of a name of 400 letters took 0.2 s. At least one character. */
function longestFitting(word: string, fits: (begin: string) => boolean): number {
  let [from, to] = [1, word.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (fits(word.slice(0, middle))) from = middle;
    else to = middle - 1;
  }
  return from;
}

export type Sheet = ReturnType<typeof createSheet>;
