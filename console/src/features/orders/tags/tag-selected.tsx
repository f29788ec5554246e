import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useApi } from '../../../platform/index.ts';
import { Button } from '../../../ui/index.ts';
import { BulkDialog, useBulk } from '../bulk-dialog.tsx';
import { TagForm } from './tag-form.tsx';
import { tagInBulk } from './tag-in-bulk.ts';
import './tags.css';
import { tagsWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];
const READS = ['listOrderTags', 'getOrderTags', 'listOrders'];

export function TagSelected({ orders }: { orders: readonly Order[] }): ReactNode {
  const t = useWords(tagsWords);
  // The selection when the dialog opened.
  const [tagged, setTagged] = useState<readonly Order[]>();
  return (
    <>
      <Button onPress={() => setTagged(orders)}>{t('bulk')}</Button>
      {tagged !== undefined && <TagDialog orders={tagged} onClose={() => setTagged(undefined)} />}
    </>
  );
}

function TagDialog({ orders, onClose }: { orders: readonly Order[]; onClose(): void }): ReactNode {
  const t = useWords(tagsWords);
  const api = useApi();
  const ids = orders.map(({ id }) => id);
  const bulk = useBulk((tag: string, run) => tagInBulk(api, ids, tag, run), READS);
  return (
    <BulkDialog
      title={t('bulkTitle', { count: orders.length })}
      doneTitle={({ changed }) => t('bulkDone', { count: changed.length, tag: bulk.run.variables ?? '' })}
      bulk={bulk}
      orders={orders}
      total={orders.length}
      onClose={onClose}
    >
      <TagForm used={[]} isBusy={false} onAdd={(tag) => bulk.run.mutateAsync(tag).then(() => {})} />
    </BulkDialog>
  );
}
