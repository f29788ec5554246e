import type { Reader } from '../../platform/inbound/index.ts';
import { placeAt } from '../contract.ts';

export function addressOf(address: Reader): Record<string, unknown> | undefined {
  const place = placeOf(address.at('coordinates'));
  const line1 = [address.at('street').findText(), address.at('streetNumber').findText()].filter(Boolean).join(' ');
  const city = address.at('city').findText();
  if (line1 === '' && city === undefined && place.latitude === undefined) return undefined;
  return {
    line1: line1 || null,
    line2: address.at('extraAddressInfo').findText() ?? null,
    city: city ?? null,
    region: null,
    district: address.at('area').findText() ?? null,
    postal_code: address.at('postalCode').findText() ?? null,
    country: address.at('country').findText() ?? null,
    ...place,
  };
}

/** Named, or a pair: longitude first as GeoJSON has it, unless that would be beyond a pole. */
function placeOf(coordinates: Reader): { latitude?: number; longitude?: number } {
  if (coordinates.at('latitude').isThere()) {
    return placeAt(coordinates.at('latitude'), coordinates.at('longitude'));
  }
  const pair = coordinates.at('coordinates');
  const place = placeAt(pair.at(1), pair.at(0));
  return place.latitude === undefined ? placeAt(pair.at(0), pair.at(1)) : place;
}
