import type { Answer } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { dayOf, isOverdue } from './days.ts';
import { applicationWords } from './words.ts';

export type Settled = Pick<
  Answer<'previewTenantCredit'>,
  'applications' | 'to_wallet_sar' | 'wallet_balance_after_sar'
>;

/** How an amount is applied to fees, oldest first, and the remainder. */
export function Applications({ label, settled }: { label: string; settled: Settled }): ReactNode {
  const t = useWords(applicationWords);
  const { money, date } = useFormat();
  const { applications, to_wallet_sar, wallet_balance_after_sar } = settled;
  return (
    <table className="operator-sums" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t('fee')}</th>
          <th scope="col">{t('due')}</th>
          <th scope="col" className="end">
            {t('owed')}
          </th>
          <th scope="col" className="end">
            {t('gets')}
          </th>
        </tr>
      </thead>
      <tbody>
        {applications.map((one) => (
          <tr key={one.branch_fee_id}>
            <td>{one.branch_iv_id === '' ? t('serviceFee') : <span className="ltr">{one.branch_iv_id}</span>}</td>
            <td data-late={isOverdue(one.due_date) || undefined}>{date(dayOf(one.due_date))}</td>
            <td className="end">{money(one.outstanding_sar)}</td>
            <td className="end">
              {money(one.applied_sar)}
              {one.applied_sar < one.outstanding_sar && <div className="soft small">{t('inPart')}</div>}
            </td>
          </tr>
        ))}
        {applications.length === 0 && (
          <tr>
            <td colSpan={4} className="soft">
              {t('nothingOpen')}
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {t('toWallet')}
          </th>
          <td className="end strong">{money(to_wallet_sar)}</td>
        </tr>
        <tr>
          <th scope="row" colSpan={3}>
            {t('walletAfter')}
          </th>
          <td className="end">{money(wallet_balance_after_sar)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
