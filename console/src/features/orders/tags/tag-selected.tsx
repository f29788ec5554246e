import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog } from '../../../ui/index.ts';
import { BulkOutcome, BulkRunning } from '../bulk-outcome.tsx';
import type { BulkProgress } from '../bulk-runner.ts';
import { ordersWords } from '../words.ts';
import { TagForm } from './tag-form.tsx';
import { tagInBulk } from './tag-in-bulk.ts';
import './tags.css';
import { tagsWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

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
  const words = useWords(ordersWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [progress, setProgress] = useState<BulkProgress>();
  const stop = useRef(new AbortController());
  const run = useMutation({
    mutationFn: (tag: string) =>
      tagInBulk(
        api,
        orders.map(({ id }) => id),
        tag,
        { onProgress: setProgress, signal: stop.current.signal, explain: (error) => explain(error).title },
      ),
    onSettled: () => readAgain('listOrderTags', 'getOrderTags', 'listOrders'),
  });
  function close(): void {
    stop.current.abort();
    onClose();
  }
  const foot =
    run.data !== undefined ? (
      <Button look="primary" onPress={close}>
        {common('close')}
      </Button>
    ) : run.isPending ? (
      <Button onPress={() => stop.current.abort()}>{words('bulkStop')}</Button>
    ) : undefined;
  return (
    <Dialog title={t('bulkTitle', { count: orders.length })} isOpen onClose={close} foot={foot}>
      {run.data !== undefined ? (
        <BulkOutcome
          title={t('bulkDone', { count: run.data.changed.length, tag: run.variables ?? '' })}
          result={run.data}
          total={orders.length}
          orders={orders}
        />
      ) : run.isPending ? (
        <BulkRunning done={progress?.done ?? 0} total={orders.length} />
      ) : (
        <TagForm used={[]} isBusy={false} onAdd={(tag) => run.mutateAsync(tag).then(() => {})} />
      )}
    </Dialog>
  );
}
