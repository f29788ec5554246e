import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network that the operator allows. */
export type Network = { readonly text: string; readonly address: Address; readonly prefixBits: number };

// Denied although ipaddr.js reports plain unicast: Azure serves platform requests on an otherwise public address.
const DENIED_IPV4 = ['168.63.129.16/32'].map((text) => ipaddr.parseCIDR(text));

// IPv6 is an allow list: global unicast only, without the ranges that embed an IPv4 address, were returned (6bone), or
// are reserved for documentation and protocols.
const GLOBAL_UNICAST_IPV6 = ipaddr.parseCIDR('2000::/3');
const DENIED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20'].map(
  (text) => ipaddr.parseCIDR(text),
);

const ISATAP_MARK = 0x5efe;

/** True only for addresses that are publicly routable; false when in doubt. */
export function isPublicUnicast(ip: string): boolean {
  const address = parseStrictly(ip);
  return address !== undefined && isPublic(address);
}

/** Public unicast, or inside one of the networks that the operator allows. */
export function isAllowedAddress(ip: string, allowed: readonly Network[]): boolean {
  const address = parseStrictly(ip);
  if (address === undefined || isMapped(address)) return false;
  return isPublic(address) || allowed.some((network) => contains(network, address));
}

/** Parses a list such as `10.0.0.0/8, fd00::/8, 127.0.0.1`. The error names the invalid entry. */
export function parseNetworks(cidrs: string): Network[] {
  return cidrs
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map(parseNetwork);
}

function parseNetwork(text: string): Network {
  const [ip = '', prefix, ...rest] = text.split('/');
  const address = parseStrictly(ip);
  const widthBits = address?.kind() === 'ipv4' ? 32 : 128;
  const prefixBits = prefix === undefined ? widthBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (address === undefined || rest.length > 0 || !(prefixBits <= widthBits)) {
    throw new Error(`"${text}" is not a network in CIDR form, such as 10.0.0.0/8 or fd00::/8`);
  }
  if (isMapped(address)) {
    throw new Error(`"${text}" is an IPv4 network in IPv6 spelling; write it as plain IPv4`);
  }
  return { text, address, prefixBits };
}

// ipaddr.js also accepts 127.1, 0x7f.1 and zone ids. Addresses from DNS or from a normalised URL never look like that, so
// these spellings are rejected.
function parseStrictly(ip: string): Address | undefined {
  return isIP(ip) === 0 || ip.includes('%') ? undefined : ipaddr.parse(ip);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if ('octets' in address) return !DENIED_IPV4.some((network) => address.match(network));
  return (
    address.match(GLOBAL_UNICAST_IPV6) && !DENIED_IPV6.some((network) => address.match(network)) && !isIsatap(address)
  );
}

// ISATAP hides an IPv4 address behind the interface id 0000:5efe or 0200:5efe of any prefix.
function isIsatap(address: ipaddr.IPv6): boolean {
  const [flags, mark] = address.parts.slice(4, 6);
  return mark === ISATAP_MARK && (flags === 0 || flags === 0x0200);
}

function isMapped(address: Address): boolean {
  return 'parts' in address && address.isIPv4MappedAddress();
}

function contains(network: Network, address: Address): boolean {
  return network.address.kind() === address.kind() && address.match(network.address, network.prefixBits);
}
