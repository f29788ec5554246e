/** The values of a QR code, in the order of their tags, which have to be 1, 2, 3 and so on. */
export function readTlv(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  const values: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, length = 0] = bytes.subarray(at, at + 2);
    if (tag !== values.length + 1) throw new Error(`tag ${tag} after ${values.length}`);
    values.push(bytes.subarray(at + 2, at + 2 + length).toString('utf8'));
    at += 2 + length;
  }
  return values;
}
