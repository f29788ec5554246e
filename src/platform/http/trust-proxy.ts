import { BlockList, isIPv6 } from 'node:net';
import type { TrustProxy } from '../config.ts';
import { parseNetworks } from '../outbound/address-policy.ts';

/** Whether an address is a proxy's; `hop` is 0 for the one that is connected, 1 for the one before it, and so on. */
export type IsProxy = (address: string, hop: number) => boolean;

export function createProxyCheck(setting: TrustProxy): IsProxy {
  if (setting === false) return () => false;
  if ('hops' in setting) return (_address, hop) => hop < setting.hops;
  const proxies = new BlockList();
  for (const { address, prefixBits } of parseNetworks(setting.networks)) {
    proxies.addSubnet(address.toString(), prefixBits, address.kind());
  }
  // An IPv4 address in IPv6 spelling, as a socket that listens on both has it, is found among the IPv4 ones. Forwarded
  // addresses are whatever somebody wrote: what is none is not in the list.
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
