import { Type } from 'typebox';

export const LEAD_EXAMPLE = {
  id: '0193a1f0-7c00-7000-8000-0000000001ea',
  name: 'Sara Al-Harbi',
  email: 'sara@example.com',
  phone: '+966500000000',
  position: 'Operations manager',
  plan: 'standard',
  contact_reason: 'demo',
  erp: '',
  notes: '',
  created: '2026-11-15T08:00:00.000Z',
};

export const LEAD_FIELDS = {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  position: Type.String(),
  plan: Type.String(),
  contact_reason: Type.String(),
  erp: Type.String(),
  notes: Type.String(),
  created: Type.String(),
};

export const Lead = Type.Object(LEAD_FIELDS, { title: 'Lead', examples: [LEAD_EXAMPLE] });

/** Described for readers only: the rule checks the fields itself, in the order that the messages promise. */
export const NewLead = Type.Unsafe<Record<string, unknown>>({
  title: 'NewLead',
  type: 'object',
  description: 'email and name are required',
  properties: {
    name: { description: 'Taken as it is, white space included' },
    email: { description: 'local@host.tld' },
    phone: {},
    position: {},
    plan: {},
    contact_reason: {},
    erp: { description: 'null is kept as an empty string' },
    notes: { description: 'null is kept as an empty string' },
  },
  examples: [{ name: LEAD_EXAMPLE.name, email: LEAD_EXAMPLE.email, phone: LEAD_EXAMPLE.phone, contact_reason: 'demo' }],
});

export const LeadList = Type.Object(
  { leads: Type.Array(Lead) },
  { title: 'LeadList', examples: [{ leads: [LEAD_EXAMPLE] }] },
);

export const LeadProblem = Type.Object(
  { data: Type.Null(), message: Type.String(), status: Type.Integer() },
  { title: 'LeadProblem', examples: [{ data: null, message: 'missing required field: email', status: 400 }] },
);
