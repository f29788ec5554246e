import type { Tx } from '../../../platform/database/index.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { type Author, changedFields, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { findIban, maskIban } from './iban.ts';
import { getLockedPartner } from './manage-partners.ts';
import { countPayees, insertPayee, lockPayee, type PayeeRow, updatePayee } from './sql/payouts.ts';

export const MAX_PAYEES = 20;

/** A person who receives a partner's payouts, identified by email address: a known one gets the new account number. */
export async function savePayee(
  tx: Tx,
  box: SecretBox,
  input: { partnerId: string; name: string; email: string; iban: string },
  author: Author,
  now: Date,
): Promise<PayeeRow> {
  const iban = findIban(input.iban);
  if (iban === undefined) throw unprocessable({ iban: 'is no valid IBAN' });
  const partner = await getLockedPartner(tx, input.partnerId);
  const { name, email } = input;
  const known = await lockPayee(tx, partner.id, email);
  if (known === undefined && (await countPayees(tx, partner.id)) >= MAX_PAYEES) {
    throw conflict('Too many payees of this partner', { limit: MAX_PAYEES });
  }
  const payee: PayeeRow = {
    id: known?.id ?? newId(),
    partner_id: partner.id,
    name,
    email: known?.email ?? email,
    iban_masked: maskIban(iban),
  };
  const sealed = { ...payee, iban: box.seal(iban) };
  if (known === undefined) {
    await insertPayee(tx, sealed, now);
    const entry = { action: 'create', resource: 'Settings', resourceId: payee.id };
    await recordAudit(tx, OPERATOR_SCOPE, author, [entry], now);
    return payee;
  }
  const before = { name: known.name, iban: box.open(known.iban) };
  const fields = changedFields(['name', 'iban'], before, { name, iban });
  if (fields.length === 0) return payee;
  await updatePayee(tx, sealed, now);
  const entry = { action: 'update', resource: 'Settings', resourceId: payee.id, changedFields: fields };
  await recordAudit(tx, OPERATOR_SCOPE, author, [entry], now);
  return payee;
}
