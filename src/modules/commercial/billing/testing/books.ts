import type { Sql } from '../../../../platform/database/index.ts';
import { newId } from '../../../../platform/ids.ts';

/** An organization with an account and nothing else, created on the given day. */
export async function openBooks(sql: Sql, created: Date, plan = 'standard'): Promise<string> {
  const id = newId();
  await sql`
    insert into organizations (id, name_en, name_ar, plan, created, updated)
    values (${id}, 'Shop', 'متجر', ${plan}, ${created}, ${created})`;
  return id;
}

/** Branches named by number, created long before the test. */
export function branchesOf(count: number, created = new Date('2020-01-01T00:00:00Z')) {
  return Array.from({ length: count }, (_, index) => ({ ivId: `B-${index + 1}`, created }));
}
