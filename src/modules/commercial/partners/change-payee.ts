import { isConflictOn, type Tx } from '../../../platform/database/index.ts';
import { conflict, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { type Author, changedFields, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { findIban, maskIban } from './iban.ts';
import { getLockedPartner } from './manage-partners.ts';
import { savePayee } from './save-payee.ts';
import { lockPayee, lockPayeeById, type PayeeRow, updatePayee } from './sql/payouts.ts';

export type NewPayee = { partnerId: string; name: string; email: string; iban: string };

/** Unlike `savePayee`, refuses an address that the partner already has. */
export async function addPayee(tx: Tx, box: SecretBox, input: NewPayee, author: Author, now: Date): Promise<PayeeRow> {
  const partner = await getLockedPartner(tx, input.partnerId);
  if ((await lockPayee(tx, partner.id, input.email)) !== undefined) throw payeeExists(input.email);
  return savePayee(tx, box, input, author, now);
}

export async function changePayee(
  tx: Tx,
  box: SecretBox,
  id: string,
  change: { name?: string; email?: string; iban?: string },
  author: Author,
  now: Date,
): Promise<PayeeRow> {
  const known = isId(id) ? await lockPayeeById(tx, id) : undefined;
  if (known === undefined) throw unknownPayee(id);
  const iban = change.iban === undefined ? box.open(known.iban) : findIban(change.iban);
  if (iban === undefined) throw unprocessable({ iban: 'is no valid IBAN' });
  const before = { name: known.name, email: known.email, iban: box.open(known.iban) };
  const after = { name: change.name?.trim() ?? known.name, email: change.email ?? known.email, iban };
  const fields = changedFields(['name', 'email', 'iban'], before, after);
  const { partner_id } = known;
  const payee: PayeeRow = {
    id: known.id,
    partner_id,
    name: after.name,
    email: after.email,
    iban_masked: maskIban(iban),
  };
  if (fields.length === 0) return payee;
  await updatePayee(tx, { ...payee, iban: box.seal(iban) }, now).catch((error) => {
    if (!isConflictOn(error, 'partner_users_email')) throw error;
    throw payeeExists(after.email);
  });
  const entry = { action: 'update', resource: 'Settings', resourceId: payee.id, changedFields: fields };
  await recordAudit(tx, OPERATOR_SCOPE, author, [entry], now);
  return payee;
}

export const unknownPayee = (id: string) => notFound('Payee not found', { id });
export const payeeExists = (email: string) => conflict('Payee already exists', { email });
