import type { Lead } from './lead.ts';

/** Leads that contain every word, ignoring case and the spelling of alef, hamza, yaa and taa marbuta. */
export function matchingLeads(leads: readonly Lead[], search: string): readonly Lead[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return leads;
  return leads.filter((lead) => {
    const { name, email, phone, position, plan, contact_reason, erp, notes } = lead;
    const text = plain([name, email, phone, position, plan, contact_reason, erp, notes].join(' '));
    return words.every((word) => text.includes(word));
  });
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u064b-\u0652\u0640]/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه');
}
