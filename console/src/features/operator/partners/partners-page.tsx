import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Button, Page, Tabs } from '../../../ui/index.ts';
import { PARTNER_TABS } from '../search.ts';
import './partners.css';
import { PartnerForm } from './partner-form.tsx';
import { Payouts } from './payouts.tsx';
import { People } from './people.tsx';
import { type Partner, payableOf, Rates } from './rates.tsx';
import { RecordPayout } from './record-payout.tsx';
import { partnersWords } from './words.ts';

const route = getRouteApi('/in/operator/partners');

export function PartnersPage(): ReactNode {
  const t = useWords(partnersWords);
  const { money } = useFormat();
  const { tab } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/partners' });
  const [paying, setPaying] = useState<string | undefined>(undefined);
  const [edited, setEdited] = useState<Partner | 'new' | undefined>(undefined);
  const partners = useRead('listCommissionRates', {});
  const first = partners.data?.items[0]?.partner_id;
  const due = partners.data?.items.reduce((sum, one) => sum + payableOf(one), 0);
  const shown = PARTNER_TABS.find((one) => one === tab) ?? 'rates';
  const content = {
    rates: <Rates of={partners} onPay={setPaying} onEdit={setEdited} />,
    people: <People partners={partners.data?.items ?? []} />,
    payouts: <Payouts />,
  };
  return (
    <Page
      title={t('title')}
      note={due === undefined ? ' ' : t('dueToAll', { amount: money(due) })}
      tools={
        <>
          <Button icon="plus" onPress={() => setEdited('new')}>
            {t('newPartner')}
          </Button>
          {first !== undefined && (
            <Button look="primary" icon="plus" onPress={() => setPaying(first)}>
              {t('record')}
            </Button>
          )}
        </>
      }
    >
      <Tabs
        label={t('tabs')}
        selected={shown}
        onSelect={(next) => {
          if (next !== shown) void navigate({ search: next === 'rates' ? {} : { tab: next } });
        }}
        tabs={PARTNER_TABS.map((id) => ({ id, title: t(`tab.${id}`), content: content[id] }))}
      />
      {edited !== undefined && (
        <PartnerForm {...(edited !== 'new' && { partner: edited })} onClose={() => setEdited(undefined)} />
      )}
      {paying !== undefined && partners.data !== undefined && (
        <RecordPayout partners={partners.data.items} partnerId={paying} onClose={() => setPaying(undefined)} />
      )}
    </Page>
  );
}
