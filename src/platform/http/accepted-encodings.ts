export type Encoding = 'br' | 'gzip';

export const WORTH_COMPRESSING_BYTES = 1_000;

/** The encodings of an Accept-Encoding header, without those of weight 0. */
export function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const offers = String(header ?? '')
    .split(',')
    .map((offer) =>
      offer
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    );
  return new Set(offers.filter(([, weight]) => weight === undefined || Number(weight) > 0).map(([name]) => name ?? ''));
}
