import { inflateSync } from 'node:zlib';

/** The texts of a PDF that the service wrote, as a reader copies them, in the order of drawing. */
export function readPdf(pdf: Buffer): { texts: string[]; pages: number } {
  const file = pdf.toString('latin1');
  if (!file.startsWith('%PDF-') || !file.trimEnd().endsWith('%%EOF')) throw new Error('not a PDF');
  const texts: string[] = [];
  for (const { index, 0: head } of file.matchAll(/stream\r?\n/g)) {
    if (file.slice(index - 3, index) === 'end') continue;
    const from = index + head.length;
    const content = inflate(pdf.subarray(from, file.indexOf('endstream', from)));
    for (const [, text = ''] of content.matchAll(/\/ActualText \(((?:\\.|[^\\)])*)\)/gs)) texts.push(decode(text));
  }
  return { texts, pages: [...file.matchAll(/\/Type \/Page\b/g)].length };
}

/** Fonts are compressed too; pictures are not. */
function inflate(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1');
  } catch {
    return '';
  }
}

function decode(literal: string): string {
  const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const text = literal.replace(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign);
  if (!text.startsWith('\u00fe\u00ff')) return text;
  return Buffer.from(text.slice(2), 'latin1').swap16().toString('utf16le');
}
