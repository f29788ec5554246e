import type { Tx } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { fromHalalas, type Money, toHalalas } from './money.ts';
import { lockAccountRow } from './sql/accounts.ts';

export type Account = {
  organizationId: string;
  balanceSar: Money;
  /** The last month whose fees were charged, by its first day. */
  chargedThrough: string;
};

/**
 * Money of an organization moves only under this lock, one transaction at a time. It is taken before all other locks and for
 * one organization only, so a transaction that holds it never waits for the lock of another account.
 */
export async function lockAccount(tx: Tx, organizationId: string): Promise<Account | undefined> {
  const row = await lockAccountRow(tx, organizationId);
  return (
    row && {
      organizationId: row.organization_id,
      balanceSar: fromHalalas(toHalalas(row.balance_sar)),
      chargedThrough: row.charged_through,
    }
  );
}

export async function lockExistingAccount(tx: Tx, organizationId: string): Promise<Account> {
  const account = await lockAccount(tx, organizationId);
  if (account === undefined) throw noSuchOrganization(organizationId);
  return account;
}

export function noSuchOrganization(organizationId: string) {
  return notFound('Organization not found', { id: organizationId });
}
