/** Contents of a receipt's QR code, as displayed. */
export type QrFields = { sellerName: string; vatNumber: string; issuedAt: string; total: string; vat: string };

/** The length field has one byte. */
const MAX_VALUE_BYTES = 255;

/** Base64 of a TLV sequence: tags 1 to 5 of ZATCA. */
export function qrOf({ sellerName, vatNumber, issuedAt, total, vat }: QrFields): string {
  const fields = [sellerName, vatNumber, issuedAt, total, vat];
  return Buffer.concat(fields.map((text, index) => tagged(index + 1, text))).toString('base64');
}

function tagged(tag: number, text: string): Buffer {
  const value = Buffer.from(cutToBytes(text, MAX_VALUE_BYTES));
  return Buffer.concat([Buffer.from([tag, value.length]), value]);
}

/**
 * A name of 255 Arabic letters has twice as many bytes. It is cut between two characters. Rejected: multi-byte lengths as in BER,
 * which no app that scans receipts reads.
 */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let cut = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}
