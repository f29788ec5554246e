import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import type { Install } from './families.ts';
import { appsWords } from './words.ts';

/** The last exchange with the vendor. An install without one may still have orders, from an import or an earlier install. */
export function LastReceived({ install }: { install: Pick<Install, 'id' | 'last_sync_at'> }): ReactNode {
  const t = useWords(appsWords);
  const { when, dateTime } = useFormat();
  const isUnknown = install.last_sync_at === null;
  const query = { source: install.id, limit: 1, format: 'canonical' } as const;
  const mayRead = useMay()('read:Orders');
  const orders = useRead('listOrders', { query }, { enabled: isUnknown && mayRead, staleTime: 60_000 });
  const at = install.last_sync_at ?? orders.data?.orders[0]?.created_at;
  if (at === undefined) return <span className="soft">{orders.isLoading ? '…' : t('never')}</span>;
  return (
    <time dateTime={at} title={dateTime(at)}>
      {when(at)}
    </time>
  );
}
