import type { Queryable } from '../../platform/database/index.ts';
import { badRequest } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { insertLead, type LeadFields, type LeadRow } from './sql.ts';

const OPTIONAL_FIELDS = ['phone', 'position', 'plan', 'contact_reason', 'erp', 'notes'] as const;
const MAX_FIELD_CHARACTERS = 10_000;

// One @, a dot inside the host, no white space. Looser than any RFC on purpose: a lead is worth more than a pattern.
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** The checks run in the order in which the landing form shows its messages: email, its form, then name. */
export function readLead(body: unknown): LeadFields {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { email, name } = fields;
  if (email === undefined || email === null || email === '') throw refused('missing required field: email');
  if (typeof email !== 'string' || email.length > 320 || !EMAIL.test(email)) throw refused('invalid email format');
  if (name === undefined || name === null || name === '') throw refused('missing required field: name');

  const lead: LeadFields = {
    name: text('name', name),
    email,
    phone: '',
    position: '',
    plan: '',
    contact_reason: '',
    erp: '',
    notes: '',
  };
  for (const field of OPTIONAL_FIELDS) lead[field] = text(field, fields[field] ?? '');
  return lead;
}

function text(field: string, value: unknown): string {
  if (typeof value !== 'string') throw refused(`invalid field: ${field}`);
  if (value.length > MAX_FIELD_CHARACTERS) throw refused(`field too long: ${field}`);
  return value;
}

function refused(message: string) {
  return badRequest({}, message);
}

export async function takeLead(sql: Queryable, fields: LeadFields, now: Date): Promise<LeadRow> {
  const lead = { id: newId(), ...fields, created: now };
  await insertLead(sql, lead);
  return lead;
}
