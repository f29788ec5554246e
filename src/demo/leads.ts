import { takeLead } from '../modules/leads/index.ts';
import type { Tx } from '../platform/database/index.ts';

const PEOPLE = [
  ['Sara Al-Harbi', 'Operations manager', 'standard', 'demo', 'Odoo'],
  ['Fahad Al-Qahtani', 'Owner', 'growth', 'pricing', ''],
  ['نورة الشمري', 'مديرة المشتريات', 'standard', 'demo', 'SAP'],
  ['Omar Bakhsh', 'Developer', 'api', 'integration', 'Dynamics'],
  ['ليلى الغامدي', 'مالكة متجر', 'growth', 'migration', ''],
  ['Huda Al-Zahrani', 'Head of e-commerce', 'growth', 'demo', 'Odoo'],
] as const;

export async function seedLeads(tx: Tx, now: Date): Promise<void> {
  for (const [index, [name, position, plan, contact_reason, erp]] of PEOPLE.entries()) {
    const created = new Date(now.getTime() - (PEOPLE.length - index) * 86_400_000);
    const email = `lead${index + 1}@visitors.example`;
    const phone = `+96650000${String(1000 + index)}`;
    await takeLead(tx, { name, email, phone, position, plan, contact_reason, erp, notes: '' }, created);
  }
}
