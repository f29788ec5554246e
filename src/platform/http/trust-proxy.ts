import { BlockList, isIPv6 } from 'node:net';
import type { TrustProxy } from '../config.ts';
import { parseNetworks } from '../outbound/address-policy.ts';

/** Whether an address is a proxy's; `hop` is 0 for the connected peer, 1 for the one before it, and so on. */
export type IsProxy = (address: string, hop: number) => boolean;

export function createProxyCheck(setting: TrustProxy): IsProxy {
  if (setting === false) return () => false;
  if ('hops' in setting) return (_address, hop) => hop < setting.hops;
  const proxies = new BlockList();
  for (const { address, prefixBits } of parseNetworks(setting.networks)) {
    proxies.addSubnet(address.toString(), prefixBits, address.kind());
  }
  // BlockList matches IPv4-mapped IPv6 addresses, as dual-stack sockets report them, against the IPv4 entries. Forwarded addresses
  // may hold any text: an invalid one is not in the list.
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
