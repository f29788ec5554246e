import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Button, type Column, DataTable } from '../../../ui/index.ts';
import { ListCard, ListFilters } from '../../../ui/list/index.ts';
import { useOperatorWords } from '../parts/say.ts';
import type { Service } from './rows.ts';
import { ServiceForm } from './service-form.tsx';
import { moneyWords } from './words.ts';

/** The catalog of what is sold besides branches. A row opens it with its files. */
export function Services(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const name = useName();
  const { money, number } = useFormat();
  const [open, setOpen] = useState<string | 'new' | undefined>(undefined);
  const services = useRead('listBillableServices', {});
  const shown = services.data?.items.find(({ id }) => id === open);
  const columns: Column<Service>[] = [
    {
      id: 'service',
      title: t('service'),
      width: 'minmax(150px, 2fr)',
      render: (one) => (
        <span className="ui-cell-two">
          <span className="clip">{name(one)}</span>
          <span className="soft small ltr clip">{one.code}</span>
        </span>
      ),
    },
    {
      id: 'cycle',
      title: t('cycle'),
      width: '120px',
      from: 'medium',
      render: ({ billing_cycle }) => t(`cycle.${billing_cycle}`),
    },
    {
      id: 'status',
      title: shared('status'),
      width: '150px',
      render: ({ is_active }) => (
        <Badge tone={is_active ? 'good' : 'plain'}>{is_active ? t('offered') : t('notOffered')}</Badge>
      ),
    },
    {
      id: 'files',
      title: t('files'),
      width: '80px',
      from: 'wide',
      render: ({ assets }) => (
        <span className="soft">{assets.length === 0 ? '—' : t('fileCount', { count: assets.length })}</span>
      ),
    },
    {
      id: 'price',
      title: t('priceShort'),
      width: '130px',
      end: true,
      render: ({ price_sar, vat_percent }) => (
        <span className="ui-cell-two">
          <span>{money(price_sar)}</span>
          <span className="soft small">{t('vatShort', { percent: number(vat_percent) })}</span>
        </span>
      ),
    },
  ];
  return (
    <div className="operator-stack">
      <ListFilters
        tools={
          <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
            {t('newService')}
          </Button>
        }
      />
      <ListCard
        answer={services}
        extentOf={({ items }) => ({ shown: items.length, total: items.length })}
        skeletonRows={6}
        empty={{ icon: 'apps', title: t('noServices'), hint: t('noServicesHint') }}
      >
        {({ items }) => (
          <DataTable
            label={t('tab.services')}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            onOpen={({ id }) => setOpen(id)}
          />
        )}
      </ListCard>
      {open === 'new' && <ServiceForm onClose={() => setOpen(undefined)} />}
      {shown !== undefined && <ServiceForm key={shown.id} service={shown} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
