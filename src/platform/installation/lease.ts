import type { Queryable } from '../database/index.ts';

/** Work that one process at a time does, for as long as it keeps renewing its lease. */
export type LeaseName = 'demo_simulator';
export type LeaseHolder = { name: LeaseName; holder: string };

/**
 * Takes the lease when it is free, expired or already held by this holder. Returns whether it is held. The database's clock
 * decides, so that processes with different clocks agree.
 */
export async function renewLease(
  sql: Queryable,
  { name, holder }: LeaseHolder,
  leaseSeconds: number,
): Promise<boolean> {
  const renewed = await sql`
    insert into service_facts as f (name, value)
    values (${name}, ${holder} || ' ' || extract(epoch from now() + make_interval(secs => ${leaseSeconds})))
    on conflict (name) do update set value = excluded.value
      where split_part(f.value, ' ', 1) = ${holder} or split_part(f.value, ' ', 2)::numeric < extract(epoch from now())
    returning 1`;
  return renewed.length > 0;
}

export async function releaseLease(sql: Queryable, { name, holder }: LeaseHolder): Promise<void> {
  await sql`delete from service_facts where name = ${name} and split_part(value, ' ', 1) = ${holder}`;
}
