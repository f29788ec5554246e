/** A page with these lines, as a PDF that needs no repair: every object is where its table says. Latin letters only. */
export function makeReceipt(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replaceAll(/[()\\]/g, '')}) Tj 0 -24 Td`).join(' ');
  const content = `BT /F1 14 Tf 30 150 Td ${text} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}
