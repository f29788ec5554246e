import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import type { Install } from './families.ts';
import { appsWords } from './words.ts';

const STALE_AFTER_MS = 60_000;
type Used = Pick<Install, 'id' | 'app_slug' | 'family' | 'last_sync_at'>;

/** The last exchange with the vendor, or else what last came by the app: an order, a sale at the till, a payment link. */
export function LastReceived({ install }: { install: Used }): ReactNode {
  if (install.last_sync_at !== null) return <At time={install.last_sync_at} />;
  return install.family === 'payment' ? <LastPaylink slug={install.app_slug} /> : <LastOrder install={install} />;
}

/** An install without an exchange may have orders from an import or an earlier install. Sales at the till name no install. */
function LastOrder({ install }: { install: Used }): ReactNode {
  const by = install.family === 'till' ? { channel: install.app_slug } : { source: install.id };
  const query = { ...by, limit: 1, format: 'canonical' } as const;
  const mayRead = useMay()('read:Orders');
  const orders = useRead('listOrders', { query }, { enabled: mayRead, staleTime: STALE_AFTER_MS });
  return <At time={orders.data?.orders[0]?.created_at} isLoading={orders.isLoading} />;
}

/** The service calls providers of payment links, not they the service. */
function LastPaylink({ slug }: { slug: string }): ReactNode {
  const mayRead = useMay()('read:Payments');
  const providers = useRead('listProviders', {}, { enabled: mayRead, staleTime: STALE_AFTER_MS });
  const provider = providers.data?.data.find(({ app_slug, type }) => app_slug === slug && type === 'bnpl');
  const links = useRead(
    'listPaylinks',
    { path: { id: provider?.id ?? '' }, query: { limit: 1 } },
    { enabled: provider !== undefined, staleTime: STALE_AFTER_MS },
  );
  return <At time={links.data?.data[0]?.updated} isLoading={providers.isLoading || links.isLoading} />;
}

function At({ time, isLoading = false }: { time: string | undefined; isLoading?: boolean }): ReactNode {
  const t = useWords(appsWords);
  const { when, dateTime } = useFormat();
  if (time === undefined) return <span className="soft">{isLoading ? '…' : t('never')}</span>;
  return (
    <time dateTime={time} title={dateTime(time)}>
      {when(time)}
    </time>
  );
}
