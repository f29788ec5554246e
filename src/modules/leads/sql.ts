import type { Queryable } from '../../platform/database/index.ts';

export type LeadFields = {
  name: string;
  email: string;
  phone: string;
  position: string;
  plan: string;
  contact_reason: string;
  erp: string;
  notes: string;
};
export type LeadRow = LeadFields & { id: string; created: Date };

export async function insertLead(sql: Queryable, lead: LeadRow): Promise<void> {
  await sql`insert into leads ${sql(lead)}`;
}

export function listNewestLeads(sql: Queryable, cap: number): Promise<LeadRow[]> {
  return sql<LeadRow[]>`
    select id, name, email, phone, position, plan, contact_reason, erp, notes, created
    from leads order by created desc, id desc limit ${cap}`;
}
