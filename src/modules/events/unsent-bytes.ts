/** Bytes that streams have written and clients have not taken yet, bounded per tenant and in total. */
export type UnsentBytes = {
  /** `drop` closes the reader. It is called at the limit, for the reader that has waited longest first. */
  add(organizationId: string, bytes: Buffer, drop: () => void): () => void;
  total(): number;
};

type Held = { bytes: Buffer; drop(): void };
type Tenant = { held: Set<Held>; shared: Map<Buffer, number>; bytes: number };

/**
 * Bytes that several streams share count once, as they take memory once. A stream that is dropped resumes by
 * `Last-Event-ID`; without the bound, 2,000 readers that take nothing would hold 500 MB.
 */
export function createUnsentBytes(perTenant: number, inAll: number): UnsentBytes {
  const tenants = new Map<string, Tenant>();
  /** In order of their oldest unsent bytes. */
  const longest = new Map<Held, string>();
  let total = 0;

  function release(organizationId: string, held: Held): void {
    const tenant = tenants.get(organizationId);
    if (tenant === undefined || !tenant.held.delete(held)) return;
    longest.delete(held);
    const sharers = (tenant.shared.get(held.bytes) ?? 1) - 1;
    if (sharers > 0) {
      tenant.shared.set(held.bytes, sharers);
      return;
    }
    tenant.shared.delete(held.bytes);
    tenant.bytes -= held.bytes.length;
    total -= held.bytes.length;
    if (tenant.held.size === 0) tenants.delete(organizationId);
  }

  function dropUntilWithin(organizationId: string): void {
    const tenant = tenants.get(organizationId);
    for (const held of tenant?.held ?? []) {
      if (tenant === undefined || tenant.bytes <= perTenant) break;
      release(organizationId, held);
      held.drop();
    }
    for (const [held, owner] of longest) {
      if (total <= inAll) break;
      release(owner, held);
      held.drop();
    }
  }

  return {
    add(organizationId, bytes, drop) {
      const tenant = tenants.get(organizationId) ?? { held: new Set(), shared: new Map(), bytes: 0 };
      tenants.set(organizationId, tenant);
      const held: Held = { bytes, drop };
      tenant.held.add(held);
      longest.set(held, organizationId);
      const sharers = tenant.shared.get(bytes) ?? 0;
      tenant.shared.set(bytes, sharers + 1);
      if (sharers === 0) {
        tenant.bytes += bytes.length;
        total += bytes.length;
      }
      dropUntilWithin(organizationId);
      return () => release(organizationId, held);
    },
    total: () => total,
  };
}
