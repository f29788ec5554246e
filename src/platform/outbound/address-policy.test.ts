import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedAddress, isPublicUnicast, parseNetworks } from './address-policy.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-targets.ts';

// The IANA special-purpose registry once more, matched by Node's own code, as a second opinion.
const SPECIAL_IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const specialIpv4 = new BlockList();
for (const [network, prefixBits] of SPECIAL_IPV4) specialIpv4.addSubnet(network, prefixBits);

const anyIpv4 = fc.ipV4();
const bordersOfSpecialBlocks = fc.constantFrom(...SPECIAL_IPV4).chain(([network, prefixBits]) => {
  const first = toNumber(network);
  const last = first + 2 ** (32 - prefixBits) - 1;
  return fc.constantFrom(first - 1, first, last, last + 1).map(toDotted);
});

function toNumber(ip: string): number {
  return ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function toDotted(value: number): string {
  const wrapped = (value + 2 ** 32) % 2 ** 32;
  return [24, 16, 8, 0].map((shift) => Math.floor(wrapped / 2 ** shift) % 256).join('.');
}

describe('isPublicUnicast', () => {
  it.each(HOSTILE_ADDRESSES)('refuses %s', (_what, ip) => {
    expect(isPublicUnicast(ip)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '168.63.129.17',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('takes %s', (ip) => {
    expect(isPublicUnicast(ip)).toBe(true);
  });

  it('agrees with the registry on every IPv4 address', () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, bordersOfSpecialBlocks), (ip) => {
        expect(isPublicUnicast(ip)).toBe(!specialIpv4.check(ip));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses every IPv4 address inside an IPv6 one, the public ones too', () => {
    const wrappings = fc.constantFrom<(ip: string, hex: string) => string>(
      (ip) => `::ffff:${ip}`,
      (ip) => `::${ip}`,
      (ip) => `::ffff:0:${ip}`,
      (ip) => `64:ff9b::${ip}`,
      (ip) => `64:ff9b:1::${ip}`,
      (_ip, hex) => `2002:${hex}::1`,
      (_ip, hex) => `2001:0:${hex}::1`,
      (ip) => `2a00:1450:4001:81b:0:5efe:${ip}`,
      (ip) => `2a00:1450:4001:81b:200:5efe:${ip}`,
    );
    fc.assert(
      fc.property(anyIpv4, wrappings, (ip, wrap) => {
        const value = toNumber(ip);
        const hex = `${Math.floor(value / 65536).toString(16)}:${(value % 65536).toString(16)}`;
        expect(isPublicUnicast(wrap(ip, hex))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes nothing of IPv6 outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const firstGroup = ip.startsWith('::') ? 0 : Number.parseInt(ip, 16);
        if (firstGroup < 0x2000 || firstGroup > 0x3fff) expect(isPublicUnicast(ip)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseNetworks', () => {
  it('reads commas, spaces, single addresses and both families', () => {
    const networks = parseNetworks(' 10.0.0.0/8, 127.0.0.1\n fd00::/8 ,');
    expect(networks.map(({ text, prefixBits }) => [text, prefixBits])).toEqual([
      ['10.0.0.0/8', 8],
      ['127.0.0.1', 32],
      ['fd00::/8', 8],
    ]);
  });

  it('takes nothing for no networks', () => {
    expect(parseNetworks('')).toEqual([]);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    '0x0a.0.0.0/8',
    'fd00::/129',
    'fe80::1%eth0/64',
    'example.com',
    '::ffff:10.0.0.0/104',
  ])('names %s as what it cannot read', (cidr) => {
    expect(() => parseNetworks(`192.168.0.0/16,${cidr}`)).toThrow(`"${cidr}"`);
  });
});

describe('isAllowedAddress', () => {
  const allowed = parseNetworks('10.1.0.0/16,127.0.0.1,fd00:1::/32');

  it.each(['10.1.255.255', '127.0.0.1', 'fd00:1::5', '8.8.8.8', '2606:4700::1'])('takes %s', (ip) => {
    expect(isAllowedAddress(ip, allowed)).toBe(true);
  });

  it.each([
    '10.2.0.0',
    '127.0.0.2',
    'fd00:2::5',
    '::ffff:10.1.0.1',
    '::ffff:127.0.0.1',
    '::10.1.0.1',
    '64:ff9b::10.1.0.1',
    '::1',
    '127.1',
    '',
  ])('refuses %s', (ip) => {
    expect(isAllowedAddress(ip, allowed)).toBe(false);
  });

  it('refuses an IPv4-mapped address even when all of IPv6 is open', () => {
    expect(isAllowedAddress('::ffff:127.0.0.1', parseNetworks('::/0'))).toBe(false);
    expect(isAllowedAddress('::1', parseNetworks('::/0'))).toBe(true);
  });
});
