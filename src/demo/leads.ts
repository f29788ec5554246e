import type { Actor } from '../modules/audit/index.ts';
import { listOperators } from '../modules/identity/index.ts';
import { addNote, changeLead, type LeadStatus, takeLead } from '../modules/leads/index.ts';
import type { Tx } from '../platform/database/index.ts';

const DAY_MS = 86_400_000;

type DemoLead = {
  name: string;
  position: string;
  plan: string;
  contact_reason: string;
  erp: string;
  status: LeadStatus;
  notes: readonly string[];
};
const demoLead = (
  [name, position, plan, contact_reason, erp]: readonly [string, string, string, string, string],
  status: LeadStatus,
  ...notes: string[]
): DemoLead => ({ name, position, plan, contact_reason, erp, status, notes });

const LEADS = [
  demoLead(
    ['Sara Al-Harbi', 'Operations manager', 'standard', 'demo', 'Odoo'],
    'won',
    'Six branches in Riyadh, on Odoo 16. Wants stock per branch first.',
    'Signed the standard plan; opens after the stock count.',
  ),
  demoLead(
    ['Fahad Al-Qahtani', 'Owner', 'growth', 'pricing', ''],
    'qualified',
    'Two bakeries and a central kitchen. Sent the price list, decides next week.',
  ),
  demoLead(
    ['نورة الشمري', 'مديرة المشتريات', 'standard', 'demo', 'SAP'],
    'contacted',
    'عرض توضيحي يوم الأحد عند العاشرة.',
  ),
  demoLead(
    ['Omar Bakhsh', 'Developer', 'api', 'integration', 'Dynamics'],
    'lost',
    'Needed a connector for Dynamics AX; stays with the present vendor.',
  ),
  demoLead(['ليلى الغامدي', 'مالكة متجر', 'growth', 'migration', ''], 'new'),
  demoLead(['Huda Al-Zahrani', 'Head of e-commerce', 'growth', 'demo', 'Odoo'], 'new'),
];

/** Contact requests in every state of the pipeline; the newest are not worked on yet. */
export async function seedLeads(tx: Tx, now: Date): Promise<void> {
  const [operator] = await listOperators(tx, 1);
  for (const [index, { status, notes, ...form }] of LEADS.entries()) {
    const created = new Date(now.getTime() - (LEADS.length - index) * DAY_MS);
    const email = `lead${index + 1}@visitors.example`;
    const phone = `+96650000${String(1000 + index)}`;
    const { id } = await takeLead(tx, { ...form, email, phone, notes: '' }, created);
    if (operator === undefined || status === 'new') continue;
    const actor: Actor = { kind: 'operator', id: operator.id, name: operator.name, ip: '', requestId: '' };
    const at = (hours: number) => new Date(created.getTime() + hours * 3_600_000);
    await changeLead(tx, id, { status, assignee_id: operator.id }, actor, at(3));
    for (const [place, text] of notes.entries()) await addNote(tx, id, text, actor, at(4 + place * 15));
  }
}
