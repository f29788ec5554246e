import type { Answer, Row } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Badge, Button, Card, EmptyState, Loaded, Pager } from '../../../ui/index.ts';
import { useTenantName } from '../parts/tenants.ts';
import { partnersWords } from './words.ts';

export type Partner = Row<'listCommissionRates'>;
const PER_PAGE = 20;

/** Exact to the halala: riyals as floats would drift over many tenants. */
export function sumOf(partner: Partner, field: 'collected_sar' | 'commission_sar' | 'paid_sar' | 'due_sar'): number {
  return partner.tenants.reduce((sum, tenant) => sum + Math.round(tenant[field] * 100), 0) / 100;
}

/** The amount payable now. A negative amount is carried over and not set off against another partner. */
export function payableOf(partner: Partner): number {
  return Math.max(0, sumOf(partner, 'due_sar'));
}

/** Each partner with the payments of its organizations, its commission and the amount due. */
export function Rates(props: {
  of: UseQueryResult<Answer<'listCommissionRates'>>;
  onPay(partnerId: string): void;
  onEdit(partner: Partner): void;
}): ReactNode {
  const t = useWords(partnersWords);
  const [page, setPage] = useState(1);
  return (
    <Loaded of={props.of} rows={6}>
      {({ items }) =>
        items.length === 0 ? (
          <Card>
            <EmptyState icon="customers" title={t('empty')} hint={t('emptyHint')} />
          </Card>
        ) : (
          <div className="operator-stack">
            {items.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((partner) => (
              <OnePartner
                key={partner.partner_id}
                partner={partner}
                onPay={() => props.onPay(partner.partner_id)}
                onEdit={() => props.onEdit(partner)}
              />
            ))}
            {items.length > PER_PAGE && <Pager page={page} perPage={PER_PAGE} total={items.length} onPage={setPage} />}
          </div>
        )
      }
    </Loaded>
  );
}

function OnePartner(props: { partner: Partner; onPay(): void; onEdit(): void }): ReactNode {
  const { partner, onPay, onEdit } = props;
  const t = useWords(partnersWords);
  const tenant = useTenantName();
  const { money, number } = useFormat();
  const due = sumOf(partner, 'due_sar');
  return (
    <Card
      title={partner.partner_name}
      tools={
        <span className="operator-title">
          <span className="soft small">
            <bdi>{partner.erp}</bdi> · {t('rate', { percent: number(partner.rate_percent) })}
          </span>
          <Button size="small" onPress={onEdit} aria-label={t('editOf', { name: partner.partner_name })}>
            {t('edit')}
          </Button>
          {due > 0 ? (
            <Button size="small" onPress={onPay}>
              {t('record')}
            </Button>
          ) : (
            <Badge tone={due < 0 ? 'warn' : 'good'}>
              {due < 0 ? t('overpaid', { amount: money(-due) }) : t('nothingDue')}
            </Badge>
          )}
        </span>
      }
    >
      {partner.tenants.length === 0 ? (
        <p className="soft">{t('noTenants')}</p>
      ) : (
        <div className="partners-scroll">
          <table className="operator-sums" aria-label={partner.partner_name}>
            <thead>
              <tr>
                <th scope="col">{t('tenant')}</th>
                {(['collected', 'commission', 'paid', 'due'] as const).map((column) => (
                  <th key={column} scope="col" className="end">
                    {t(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {partner.tenants.map((one) => (
                <tr key={one.organization_id}>
                  <td>
                    <Link to="/operator/organizations/$id" params={{ id: one.organization_id }}>
                      {tenant(one.organization_id, one.name_en)}
                    </Link>
                  </td>
                  <td className="end">{money(one.collected_sar)}</td>
                  <td className="end">{money(one.commission_sar)}</td>
                  <td className="end">{money(one.paid_sar)}</td>
                  <td className="end strong">{money(one.due_sar)}</td>
                </tr>
              ))}
            </tbody>
            {partner.tenants.length > 1 && (
              <tfoot>
                <tr>
                  <th scope="row">{t('allTenants')}</th>
                  {(['collected_sar', 'commission_sar', 'paid_sar', 'due_sar'] as const).map((field) => (
                    <td key={field} className="end strong">
                      {money(sumOf(partner, field))}
                    </td>
                  ))}
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      )}
    </Card>
  );
}
