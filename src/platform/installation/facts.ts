import type { Queryable } from '../database/index.ts';

/** Small facts about this installation, in its own database: they go wherever that goes, into a backup too. */
export type FactName = 'installation_id' | 'secret_fingerprint' | 'demo_loaded_at' | 'demo_counted_at' | 'last_backup';

export async function findFact(sql: Queryable, name: FactName): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`select value from service_facts where name = ${name}`;
  return row?.value;
}

/** The first value stays. Returns the stored one. */
export async function settleFact(sql: Queryable, name: FactName, value: string): Promise<string> {
  await sql`insert into service_facts (name, value) values (${name}, ${value}) on conflict (name) do nothing`;
  return (await findFact(sql, name)) ?? value;
}

export async function replaceFact(sql: Queryable, name: FactName, value: string): Promise<void> {
  await sql`
    insert into service_facts (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`;
}
