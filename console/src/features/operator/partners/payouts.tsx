import type { Row } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { saveFile, useApi, useRead } from '../../../platform/index.ts';
import { Button, type Column, DataTable, Select } from '../../../ui/index.ts';
import { ListCard, ListFilters, useListSearch } from '../../../ui/list/index.ts';
import { extentOfItems } from '../parts/paged-items.ts';
import { useToastRefusal } from '../parts/refusal.tsx';
import { useOperatorWords } from '../parts/say.ts';
import { usePartnerName } from './partner-name.ts';
import { partnersWords } from './words.ts';

type Payout = Row<'listPartnerCommissions'>;
const route = getRouteApi('/in/operator/partners');
const ENDINGS: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

export function Payouts(): ReactNode {
  const t = useWords(partnersWords);
  const shared = useOperatorWords();
  const partnerName = usePartnerName();
  const { money, date, hijri } = useFormat();
  const search = route.useSearch();
  const { partner } = search;
  const list = useListSearch(search, useNavigate({ from: '/operator/partners' }), { keep: ['tab'] });
  const partners = useRead('listCommissionRates', {});
  const people = useRead('listPartnerUsers', {});
  const payouts = useRead(
    'listPartnerCommissions',
    { query: { page: list.page, ...(partner && { partner_id: partner }) } },
    { keepPrevious: true },
  );
  const columns: Column<Payout>[] = [
    {
      id: 'partner',
      title: t('partner'),
      width: 'minmax(90px, 1.2fr)',
      render: ({ partner_id, partner_user_id }) => (
        <span className="ui-cell-two">
          <span className="clip">{partnerName(partner_id)}</span>
          <span className="soft small clip">{people.data?.items.find(({ id }) => id === partner_user_id)?.name}</span>
        </span>
      ),
    },
    {
      id: 'period',
      title: t('period'),
      width: '90px',
      from: 'wide',
      render: ({ period }) => <span className="ltr">{period}</span>,
    },
    {
      id: 'reference',
      title: t('reference'),
      width: 'minmax(130px, 1fr)',
      from: 'medium',
      render: ({ bank_reference }) => <span className="ltr">{bank_reference}</span>,
    },
    {
      id: 'paid',
      title: t('paidAt'),
      width: '110px',
      from: 'medium',
      render: ({ paid_at }) => (
        <time dateTime={paid_at} title={hijri(paid_at)} className="soft">
          {date(paid_at)}
        </time>
      ),
    },
    {
      id: 'proof',
      title: t('proof'),
      width: '100px',
      render: (payout) => (payout.has_proof ? <Proof payout={payout} /> : <span className="soft">{t('noProof')}</span>),
    },
    {
      id: 'amount',
      title: shared('amount'),
      width: '112px',
      end: true,
      render: ({ amount_sar }) => money(amount_sar),
    },
  ];
  return (
    <div className="operator-stack">
      <ListFilters>
        <Select
          label={t('partner')}
          hideLabel
          value={partner ?? ''}
          onChange={(id) => list.filter({ partner: id })}
          options={[
            { value: '', text: t('allPartners') },
            ...(partners.data?.items ?? []).map((one) => ({ value: one.partner_id, text: one.partner_name })),
          ]}
        />
      </ListFilters>
      <ListCard
        answer={payouts}
        extentOf={extentOfItems}
        pager={{ page: list.page, onPage: list.turnTo, hideSinglePage: true }}
        skeletonRows={6}
        empty={{ icon: 'payments', title: t('noPayouts'), hint: t('noPayoutsHint') }}
      >
        {({ items }) => <DataTable label={t('tab.payouts')} columns={columns} rows={items} keyOf={({ id }) => id} />}
      </ListCard>
    </div>
  );
}

/** Private: fetched with the token and saved as a file. */
function Proof({ payout }: { payout: Payout }): ReactNode {
  const t = useWords(partnersWords);
  const api = useApi();
  const fetching = useMutation({
    mutationFn: async () => {
      const file = await api.call('getCommissionProof', { path: { id: payout.id } });
      saveFile(`${payout.bank_reference}.${ENDINGS[file.type] ?? 'bin'}`, file);
    },
    onError: useToastRefusal(),
  });
  return (
    <Button
      size="small"
      icon="export"
      aria-label={t('downloadOf', { reference: payout.bank_reference })}
      isPending={fetching.isPending}
      onPress={() => fetching.mutate()}
    >
      {t('download')}
    </Button>
  );
}
