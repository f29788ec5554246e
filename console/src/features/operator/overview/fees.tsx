import type { Answer } from '@dukkan/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Badge, Card, type Column, DataTable, EmptyState, Loaded } from '../../../ui/index.ts';
import { dayOf } from '../parts/days.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { useTenantName } from '../parts/tenants.ts';
import { feeTone } from '../parts/tones.ts';
import type { Books } from './receivables.tsx';
import { overviewWords } from './words.ts';

type Fee = Answer<'readAccountingOverview'>['recent_branch_fees'][number];
const SHOWN = 10;

export function LatestFees({ of }: { of: Books }): ReactNode {
  const t = useWords(overviewWords);
  const shared = useOperatorWords();
  const say = useSay();
  const tenant = useTenantName();
  const navigate = useNavigate();
  const { money, shortDate } = useFormat();
  const columns: Column<Fee>[] = [
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(90px, 1.6fr)',
      render: (fee) => tenant(fee.organization_id, fee.organization_name_en),
    },
    {
      id: 'fee',
      title: t('fee'),
      width: 'minmax(110px, 1.2fr)',
      from: 'medium',
      render: ({ branch_iv_id, service_code }) => (
        <span className="ltr">{branch_iv_id === '' ? service_code : branch_iv_id}</span>
      ),
    },
    {
      id: 'period',
      title: t('period'),
      width: '90px',
      from: 'wide',
      render: ({ period }) => <span className="soft">{shortDate(dayOf(period))}</span>,
    },
    {
      id: 'status',
      title: shared('status'),
      width: '100px',
      render: ({ status }) => <Badge tone={feeTone(status)}>{say('fee', status)}</Badge>,
    },
    {
      id: 'total',
      title: t('total'),
      width: '112px',
      end: true,
      render: ({ total_sar, outstanding_sar, paid_sar }) => (
        <span className="ui-cell-two">
          <span>{money(total_sar)}</span>
          {outstanding_sar > 0 && paid_sar > 0 && (
            <span className="soft small">{t('left', { amount: money(outstanding_sar) })}</span>
          )}
        </span>
      ),
    },
  ];
  return (
    <Card title={t('fees')} flush>
      <Loaded of={of} rows={6}>
        {({ recent_branch_fees }) =>
          recent_branch_fees.length === 0 ? (
            <EmptyState icon="payments" title={t('noFees')} hint={t('noFeesHint')} />
          ) : (
            <DataTable
              label={t('fees')}
              columns={columns}
              rows={recent_branch_fees.slice(0, SHOWN)}
              keyOf={({ id }) => id}
              onOpen={({ organization_id }) =>
                void navigate({ to: '/operator/organizations/$id', params: { id: organization_id } })
              }
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Movements by kind: money in is positive, money out negative. */
export function Ledger({ of }: { of: Books }): ReactNode {
  const t = useWords(overviewWords);
  const say = useSay();
  const { money } = useFormat();
  return (
    <Card title={t('ledger')}>
      <Loaded of={of} rows={4}>
        {({ ledger_breakdown }) => (
          <table className="operator-sums">
            <tbody>
              {ledger_breakdown.map(({ entry_type, direction, count, amount }) => (
                <tr key={`${entry_type} ${direction}`}>
                  <td>{say('entry', entry_type)}</td>
                  <td className="soft">{t('entries', { count })}</td>
                  <td className="end">{money(direction === 'credit' ? amount : -amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Card>
  );
}
