import type { Reader } from '../../platform/inbound/index.ts';

type Parts = Partial<
  Record<'line1' | 'line2' | 'city' | 'region' | 'district' | 'postalCode' | 'country', string | undefined>
>;

/** With the same field names for every vendor; undefined if no field could locate the customer. */
export function addressOf(
  { line1, line2, city, region, district, postalCode, country }: Parts,
  place: { latitude?: number; longitude?: number } = {},
): Record<string, unknown> | undefined {
  if (!line1 && !city && place.latitude === undefined) return undefined;
  return {
    line1: line1 ?? null,
    line2: line2 ?? null,
    city: city ?? null,
    region: region ?? null,
    district: district ?? null,
    postal_code: postalCode ?? null,
    country: country ?? null,
    ...place,
  };
}

/** Joins the texts that are present, by default with a space as in names. */
export function joined(parts: readonly Reader[], between = ' '): string | undefined {
  return (
    parts
      .map((part) => part.findText())
      .filter(Boolean)
      .join(between) || undefined
  );
}
