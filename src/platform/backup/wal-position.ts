/** A position in the write-ahead log as PostgreSQL writes it: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Below nought, nought or above it, as for sorting. */
export function compareLsns(one: string, other: string): number {
  return Number(parseLsn(one) - parseLsn(other));
}

export function formatLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`;
}

/** The file name of a segment: timeline, and its number in two parts. */
export function segmentName(timeline: number, segment: bigint, segmentBytes: number): string {
  const perId = 0x1_0000_0000n / BigInt(segmentBytes);
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
  return hex(BigInt(timeline)) + hex(segment / perId) + hex(segment % perId);
}

export function parseSegmentName(
  name: string,
  segmentBytes: number,
): { timeline: number; segment: bigint } | undefined {
  if (!/^[0-9A-F]{24}$/.test(name)) return undefined;
  const part = (from: number) => BigInt(`0x${name.slice(from, from + 8)}`);
  const perId = 0x1_0000_0000n / BigInt(segmentBytes);
  return { timeline: Number(part(0)), segment: part(8) * perId + part(16) };
}
