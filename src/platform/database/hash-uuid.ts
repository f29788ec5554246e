/**
 * PostgreSQL's `uuid_hash`, by which Citus chooses the shard of a row (Jenkins' lookup3, as the server computes it on little-endian
 * machines). Computed here, so that a request knows the group of its tenant without a question to the database.
 */
export function hashUuid(uuid: string): number {
  const hex = uuid.replaceAll('-', '');
  const start = (0x9e3779b9 + 16 + 3_923_095) | 0;
  let a = (start + wordAt(hex, 0)) | 0;
  let b = (start + wordAt(hex, 1)) | 0;
  let c = (start + wordAt(hex, 2)) | 0;

  a = (a - c) ^ rotate(c, 4);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 6);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 8);
  b = (b + a) | 0;
  a = (a - c) ^ rotate(c, 16);
  c = (c + b) | 0;
  b = (b - a) ^ rotate(a, 19);
  a = (a + c) | 0;
  c = (c - b) ^ rotate(b, 4);
  b = (b + a) | 0;

  a = (a + wordAt(hex, 3)) | 0;

  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

/** Four bytes, the lowest first. */
function wordAt(hex: string, word: number): number {
  const value = Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16);
  return (value >>> 24) | ((value >>> 8) & 0xff00) | ((value << 8) & 0xff0000) | (value << 24) | 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
