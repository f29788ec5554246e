import type { Answer, Row } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Badge, Button, Card, type Column, DataTable, EmptyState, Loaded, Pager } from '../../../ui/index.ts';
import { useTenantName } from '../parts/tenants.ts';
import { partnersWords } from './words.ts';

export type Partner = Row<'listCommissionRates'>;
type Amounts = Pick<Partner['tenants'][number], 'collected_sar' | 'commission_sar' | 'paid_sar' | 'due_sar'>;
/** An organization of the partner or, without an id, all of them. */
type Line = Amounts & { id?: string; name_en: string };
const AMOUNTS = [
  ['collected', 'collected_sar'],
  ['commission', 'commission_sar'],
  ['paid', 'paid_sar'],
  ['due', 'due_sar'],
] as const;
const PER_PAGE = 20;

/** Exact to the halala: riyals as floats would drift over many tenants. */
export function sumOf(partner: Partner, field: keyof Amounts): number {
  return partner.tenants.reduce((sum, tenant) => sum + Math.round(tenant[field] * 100), 0) / 100;
}

/** The amount payable now. A negative amount is carried over and not set off against another partner. */
export function payableOf(partner: Partner): number {
  return Math.max(0, sumOf(partner, 'due_sar'));
}

function linesOf(partner: Partner): Line[] {
  const lines = partner.tenants.map((one) => ({ ...one, id: one.organization_id }));
  if (lines.length < 2) return lines;
  const sums = Object.fromEntries(AMOUNTS.map(([, field]) => [field, sumOf(partner, field)])) as Amounts;
  return [...lines, { ...sums, name_en: '' }];
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
  const columns: Column<Line>[] = [
    {
      id: 'tenant',
      title: t('tenant'),
      width: 'minmax(120px, 1.6fr)',
      render: ({ id, name_en }) =>
        id === undefined ? (
          t('allTenants')
        ) : (
          <Link to="/operator/organizations/$id" params={{ id }}>
            {tenant(id, name_en)}
          </Link>
        ),
    },
    ...AMOUNTS.map(
      ([title, field]): Column<Line> => ({
        id: title,
        title: t(title),
        width: 'minmax(112px, 1fr)',
        end: true,
        render: (line) => (
          <span className={title === 'due' || line.id === undefined ? 'strong' : undefined}>{money(line[field])}</span>
        ),
      }),
    ),
  ];
  return (
    <Card
      flush
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
        <p className="soft partners-none">{t('noTenants')}</p>
      ) : (
        <DataTable
          label={partner.partner_name}
          columns={columns}
          rows={linesOf(partner)}
          keyOf={({ id }) => id ?? 'all'}
        />
      )}
    </Card>
  );
}
