import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { FigureStrip } from '../../ui/figure-strip.tsx';
import { Button, Loaded, Page, Segments } from '../../ui/index.ts';
import { NewPaylinkDialog } from './new-paylink.tsx';
import { Paylinks } from './paylinks.tsx';
import { type PaymentSearch, VIEWS } from './payment-search.ts';
import './payments.css';
import { Providers } from './providers.tsx';
import type { Provider } from './tones.ts';
import { Transactions } from './transactions.tsx';
import { paymentsWords } from './words.ts';

const route = getRouteApi('/in/payments');

export function PaymentsPage(): ReactNode {
  const t = useWords(paymentsWords);
  const providers = useRead('listProviders', {}, { staleTime: 60_000 });
  return (
    <Loaded of={providers} rows={8}>
      {({ data }) => (data.length === 0 ? <Page title={t('title')}>{null}</Page> : <Inside providers={data} />)}
    </Loaded>
  );
}

function Inside({ providers }: { providers: readonly Provider[] }): ReactNode {
  const t = useWords(paymentsWords);
  const may = useMay();
  const navigate = useNavigate({ from: '/payments' });
  const { view = 'paylinks', provider } = route.useSearch();
  const [isMaking, setMaking] = useState(false);
  const makers = providers.filter(({ type, installed }) => type === 'bnpl' && installed);
  const maker = makers.find(({ id }) => id === provider) ?? makers[0];
  const open = makers.filter(({ enabled }) => enabled);
  return (
    <Page
      title={t('title')}
      note={t('intro')}
      tools={
        may('create:Payments') &&
        open.length > 0 && (
          <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
            {t('newPaylink')}
          </Button>
        )
      }
    >
      <Glance maker={maker} />
      <Segments
        label={t('views')}
        value={view}
        onChange={(next) => void navigate({ search: next === 'paylinks' ? {} : { view: next } })}
        options={VIEWS.map((value) => ({ value, text: t(`view.${value}`) }))}
      />
      {view === 'paylinks' && <Paylinks makers={makers} maker={maker} />}
      {view === 'transactions' && <Transactions providers={providers} />}
      {view === 'providers' && <Providers providers={providers} />}
      {isMaking && (
        <NewPaylinkDialog
          makers={open}
          onClose={() => setMaking(false)}
          onMade={({ id, provider: made }) => {
            setMaking(false);
            void navigate({ search: { provider: made, open: id } });
          }}
        />
      )}
    </Page>
  );
}

/** Counts of paylinks waiting for the customer, for a capture, and of unmatched transactions. */
function Glance({ maker }: { maker: Provider | undefined }): ReactNode {
  const t = useWords(paymentsWords);
  const { number } = useFormat();
  const created = useCount(maker, 'created');
  const authorized = useCount(maker, 'authorized');
  const captured = useCount(maker, 'captured');
  const unmatched = useRead('listTransactions', { query: { unmatched: true, limit: 1 } }).data?.total_count;
  const name = useName();
  const figure = (count: number | undefined, search: PaymentSearch) =>
    count === undefined ? undefined : (
      <Link to="/payments" search={search}>
        {number(count)}
      </Link>
    );
  const linked = (status: 'created' | 'authorized' | 'captured') => ({
    ...(maker !== undefined && { provider: maker.id }),
    status,
  });
  const note = maker === undefined ? undefined : name(maker);
  const links =
    maker === undefined
      ? []
      : [
          { name: t('waitingCustomer'), value: figure(created, linked('created')), note },
          {
            name: t('toCapture'),
            value: figure(authorized, linked('authorized')),
            note,
            tone: (authorized ?? 0) > 0 ? ('warn' as const) : undefined,
          },
          { name: t('status.captured'), value: figure(captured, linked('captured')), note },
        ];
  return (
    <FigureStrip
      label={t('glance')}
      figures={[
        ...links,
        {
          name: t('unmatched'),
          value: figure(unmatched, { view: 'transactions', unmatched: 'yes' }),
          note: t('view.transactions'),
          tone: (unmatched ?? 0) > 0 ? 'warn' : undefined,
        },
      ]}
    />
  );
}

function useCount(maker: Provider | undefined, status: 'created' | 'authorized' | 'captured'): number | undefined {
  const given = { path: { id: maker?.id ?? '-' }, query: { status, limit: 1 } };
  return useRead('listPaylinks', given, { enabled: maker !== undefined }).data?.total_count;
}
