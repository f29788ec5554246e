import { generate } from 'selfsigned';

export type Certificate = { key: string; cert: string };
type Validity = { notBeforeDate?: Date; notAfterDate?: Date };
type Holder = { names?: string[]; addresses?: string[] } & Validity;

export type Authority = { cert: string; issue(holder: Holder): Promise<Certificate> };

/** A private certificate authority for receivers on the loopback. */
export async function createAuthority(commonName = 'Test Authority'): Promise<Authority> {
  const root = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert: root.cert,
    issue: (holder) => issueLeaf(holder, { key: root.private, cert: root.cert }),
  };
}

export function createSelfSigned(holder: Holder): Promise<Certificate> {
  return issueLeaf(holder, undefined);
}

async function issueLeaf(
  { names = [], addresses = [], ...validity }: Holder,
  ca: { key: string; cert: string } | undefined,
): Promise<Certificate> {
  const leaf = await generate([{ name: 'commonName', value: names[0] ?? addresses[0] ?? 'receiver' }], {
    ...validity,
    keyType: 'ec',
    algorithm: 'sha256',
    ...(ca === undefined ? {} : { ca }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key: leaf.private, cert: leaf.cert };
}
