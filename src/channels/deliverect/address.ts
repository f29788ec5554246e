import type { Reader } from '../../platform/inbound/index.ts';
import { addressOf, type ChannelOrder, joined, placeAt } from '../contract.ts';

export function shippingAddressOf(address: Reader): ChannelOrder['shippingAddress'] {
  return addressOf(
    {
      line1: joined([address.at('street'), address.at('streetNumber')]),
      line2: address.at('extraAddressInfo').findText(),
      city: address.at('city').findText(),
      district: address.at('area').findText(),
      postalCode: address.at('postalCode').findText(),
      country: address.at('country').findText(),
    },
    placeOf(address.at('coordinates')),
  );
}

/** Named fields, or a pair with longitude first as in GeoJSON, unless the latitude would exceed 90. */
function placeOf(coordinates: Reader): { latitude?: number; longitude?: number } {
  if (coordinates.at('latitude').isThere()) {
    return placeAt(coordinates.at('latitude'), coordinates.at('longitude'));
  }
  const pair = coordinates.at('coordinates');
  const place = placeAt(pair.at(1), pair.at(0));
  return place.latitude === undefined ? placeAt(pair.at(0), pair.at(1)) : place;
}
