import type { Tx } from '../../../platform/database/index.ts';
import { refuseBrokenHalalas, sarText } from '../../../platform/http/sar-amount.ts';
import { type Author, OPERATOR_SCOPE, recordAudit, updateEntries } from '../../audit/index.ts';
import { getLockedPartner } from './manage-partners.ts';
import { type PartnerRow, updatePartner } from './sql/partners.ts';

export type PartnerChange = { name?: string; erp?: string; rate_percent?: number };

/** A new rate applies to future payments; commission that was earned does not change. */
export async function changePartner(
  tx: Tx,
  id: string,
  change: PartnerChange,
  author: Author,
  now: Date,
): Promise<PartnerRow> {
  refuseBrokenHalalas({ rate_percent: change.rate_percent });
  const before = await getLockedPartner(tx, id);
  const after: PartnerRow = {
    ...before,
    name: change.name?.trim() ?? before.name,
    erp: change.erp?.trim() ?? before.erp,
    rate_percent: change.rate_percent === undefined ? before.rate_percent : sarText(change.rate_percent),
  };
  const entries = updateEntries(
    'Settings',
    ['name', 'erp', 'rate_percent'],
    [{ id: before.id, before: audited(before), after: audited(after) }],
  );
  if (entries.length === 0) return before;
  const saved = { ...after, updated: now };
  await updatePartner(tx, saved);
  await recordAudit(tx, OPERATOR_SCOPE, author, entries, now);
  return saved;
}

const audited = ({ name, erp, rate_percent }: PartnerRow) => ({ name, erp, rate_percent: Number(rate_percent) });
