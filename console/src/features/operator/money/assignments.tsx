import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Button, type Column, DataTable, Notice, Select } from '../../../ui/index.ts';
import { ListCard, ListFilters, useListSearch } from '../../../ui/list/index.ts';
import { useOperatorWords } from '../parts/say.ts';
import { useTenantName, useTenants } from '../parts/tenants.ts';
import { AssignmentForm } from './assignment-form.tsx';
import type { Assignment } from './rows.ts';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');

/** Services assigned to organizations, with quantity and price. */
export function Assignments(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const name = useName();
  const tenant = useTenantName();
  const { money, number, date } = useFormat();
  const search = route.useSearch();
  const { organization, service } = search;
  const list = useListSearch(search, useNavigate({ from: '/operator/money' }), { keep: ['tab'] });
  const [open, setOpen] = useState<Assignment | 'new' | undefined>(undefined);
  const services = useRead('listBillableServices', {});
  const assignments = useRead(
    'listServiceAssignments',
    { query: { ...(organization && { organization_id: organization }), ...(service && { service_id: service }) } },
    { keepPrevious: true },
  );
  const serviceOf = (id: string) => services.data?.items.find((one) => one.id === id);
  const columns: Column<Assignment>[] = [
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(86px, 1.2fr)',
      render: ({ organization_id }) => tenant(organization_id),
    },
    {
      id: 'service',
      title: t('service'),
      width: 'minmax(100px, 1.6fr)',
      render: ({ service_id }) => {
        const known = serviceOf(service_id);
        return known === undefined ? '…' : name(known);
      },
    },
    {
      id: 'starts',
      title: t('starts'),
      width: '120px',
      from: 'wide',
      render: ({ starts_at }) => <span className="soft">{date(starts_at)}</span>,
    },
    {
      id: 'status',
      title: shared('status'),
      width: '120px',
      render: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'plain'}>{t(`status.${status}`)}</Badge>,
    },
    {
      id: 'price',
      title: t('priceShort'),
      width: '112px',
      end: true,
      render: ({ price_sar, quantity }) => (
        <span className="ui-cell-two">
          <span>{money(price_sar * quantity)}</span>
          {quantity > 1 && (
            <span className="soft small">{t('each', { quantity: number(quantity), price: money(price_sar) })}</span>
          )}
        </span>
      ),
    },
  ];
  return (
    <div className="operator-stack">
      <ListFilters
        tools={
          <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
            {t('assign')}
          </Button>
        }
      >
        <OrganizationFilter value={organization} onChange={(id) => list.filter({ organization: id })} />
        <Select
          label={t('service')}
          hideLabel
          value={service ?? ''}
          onChange={(id) => list.filter({ service: id })}
          options={[
            { value: '', text: t('allServices') },
            ...(services.data?.items ?? []).map((one) => ({ value: one.id, text: name(one) })),
          ]}
        />
      </ListFilters>
      <ListCard
        answer={assignments}
        extentOf={({ items, total_items }) => ({ shown: items.length, total: total_items })}
        isFiltered={list.isFiltered}
        onClear={list.clear}
        skeletonRows={6}
        empty={{ icon: 'apps', title: t('noAssignments'), hint: t('noAssignmentsHint') }}
        noMatch={{ title: t('nothingFits'), hint: t('noAssignmentsHint') }}
      >
        {({ items, total_items }) => (
          <>
            {total_items > items.length && <Notice>{t('capped', { shown: items.length, total: total_items })}</Notice>}
            <DataTable
              label={t('tab.assignments')}
              columns={columns}
              rows={items}
              keyOf={({ organization_app_id }) => organization_app_id}
              onOpen={setOpen}
            />
          </>
        )}
      </ListCard>
      {open !== undefined && (
        <AssignmentForm
          services={services.data?.items ?? []}
          {...(open !== 'new' && { assignment: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

function OrganizationFilter(props: { value: string | undefined; onChange(id: string): void }): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const name = useName();
  const { data } = useTenants();
  return (
    <Select
      label={shared('organization')}
      hideLabel
      value={props.value ?? ''}
      onChange={props.onChange}
      options={[
        { value: '', text: t('allOrganizations') },
        ...(data?.organizations ?? []).map((one) => ({ value: one.organization_id, text: name(one) })),
      ]}
    />
  );
}
