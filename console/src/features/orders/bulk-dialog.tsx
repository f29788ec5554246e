import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog } from '../../ui/index.ts';
import { BulkOutcome, BulkRunning } from './bulk-outcome.tsx';
import type { BulkProgress, BulkRun } from './bulk-runner.ts';
import { ordersWords } from './words.ts';

/** A change of several orders with its progress. `reads` are read again when it has ended. */
export function useBulk<Input>(
  change: (input: Input, run: BulkRun) => Promise<BulkProgress>,
  reads: readonly string[],
) {
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [progress, setProgress] = useState<BulkProgress>();
  const controller = useRef(new AbortController());
  const run = useMutation({
    mutationFn: (input: Input) =>
      change(input, {
        onProgress: setProgress,
        signal: controller.current.signal,
        explain: (error) => explain(error).title,
      }),
    onSettled: () => readAgain(...reads),
  });
  return { run, done: progress?.done ?? 0, stop: () => controller.current.abort() };
}

/** A form or question first (`children`, `foot`), then the progress, then what was changed and refused. Closing it stops the change. */
export function BulkDialog<Input>(props: {
  title: string;
  /** Says how many orders were changed. */
  doneTitle(result: BulkProgress): string;
  bulk: ReturnType<typeof useBulk<Input>>;
  orders: readonly Schemas['CanonicalOrder'][];
  /** How many of the orders are changed. */
  total: number;
  foot?: ReactNode;
  onClose(): void;
  children: ReactNode;
}): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const { title, bulk, orders, total } = props;
  const { data: result, isPending } = bulk.run;
  const close = () => {
    bulk.stop();
    props.onClose();
  };
  const foot =
    result !== undefined ? (
      <Button look="primary" onPress={close}>
        {common('close')}
      </Button>
    ) : isPending ? (
      <Button onPress={bulk.stop}>{t('bulkStop')}</Button>
    ) : (
      props.foot
    );
  return (
    <Dialog title={title} isOpen onClose={close} foot={foot}>
      {result !== undefined ? (
        <BulkOutcome title={props.doneTitle(result)} result={result} total={total} orders={orders} />
      ) : isPending ? (
        <BulkRunning done={bulk.done} total={total} />
      ) : (
        props.children
      )}
    </Dialog>
  );
}
