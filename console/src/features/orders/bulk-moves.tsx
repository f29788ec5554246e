import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { commonWords, orderWords, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Menu } from '../../ui/index.ts';
import type { Selection } from '../../ui/list/index.ts';
import { BulkOutcome, BulkRunning } from './bulk-outcome.tsx';
import type { BulkProgress } from './bulk-runner.ts';
import { moveInBulk } from './move-in-bulk.ts';
import { type Move, movesFrom } from './moves.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

const MOVES: readonly Move[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered', 'cancelled'];

/** Changes the status of the selected orders. Those that cannot get it are left out. */
export function MoveMenu({ selection }: { selection: Selection<Order> }): ReactNode {
  const t = useWords(ordersWords);
  const [move, setMove] = useState<Move | undefined>(undefined);
  return (
    <>
      <Menu
        label={t('moveTo')}
        button={{ children: t('moveTo') }}
        groups={[
          {
            id: 'moves',
            entries: MOVES.map((to) => ({
              id: to,
              text: t(`move.${to}`),
              onAction: () => setMove(to),
              ...(to === 'cancelled' && { look: 'danger' as const }),
            })),
          },
        ]}
      />
      {move !== undefined && <MoveDialog move={move} selection={selection} onClose={() => setMove(undefined)} />}
    </>
  );
}

function MoveDialog(props: { move: Move; selection: Selection<Order>; onClose(): void }): ReactNode {
  const { move, selection } = props;
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const status = useWords(orderWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  // The selection when the dialog opened: moved orders leave the selection when it closes.
  const [orders] = useState(selection.rows);
  const able = orders.filter((order) => movesFrom(order.status).includes(move));
  const [progress, setProgress] = useState<BulkProgress | undefined>(undefined);
  const stop = useRef(new AbortController());
  const run = useMutation({
    mutationFn: () =>
      moveInBulk(
        api,
        able.map(({ id }) => id),
        move,
        { onProgress: setProgress, signal: stop.current.signal, explain: (error) => explain(error).title },
      ),
    onSettled: () => readAgain('listOrders', 'getOrder', 'readOrdersDashboard'),
  });
  function close(): void {
    stop.current.abort();
    if (run.data !== undefined) {
      const moved = new Set(run.data.changed);
      selection.keepOnly(new Set(selection.rows.filter(({ id }) => !moved.has(id)).map(({ id }) => id)));
    }
    props.onClose();
  }
  const foot =
    run.data !== undefined ? (
      <Button look="primary" onPress={close}>
        {common('close')}
      </Button>
    ) : run.isPending ? (
      <Button onPress={() => stop.current.abort()}>{t('bulkStop')}</Button>
    ) : (
      <>
        <Button onPress={close}>{move === 'cancelled' ? t('keepOrders') : common('cancel')}</Button>
        <Button
          look={move === 'cancelled' ? 'danger' : 'primary'}
          isDisabled={able.length === 0}
          onPress={() => run.mutate()}
        >
          {t('bulkGo', { count: able.length })}
        </Button>
      </>
    );
  return (
    <Dialog
      title={t('bulkTitle', { count: orders.length, status: status(`status.${move}`) })}
      isOpen
      onClose={close}
      foot={foot}
    >
      {run.data !== undefined ? (
        <BulkOutcome
          title={t('bulkDone', { count: run.data.changed.length })}
          result={run.data}
          total={able.length}
          orders={orders}
        />
      ) : run.isPending ? (
        <BulkRunning done={progress?.done ?? 0} total={able.length} />
      ) : (
        <div className="orders-bulk">
          <p>{able.length === 0 ? t('bulkNone') : t('bulkText')}</p>
          {move === 'cancelled' && able.length > 0 && <p>{t('bulkCancelText')}</p>}
          {able.length > 0 && able.length < orders.length && (
            <p className="soft">{t('bulkLeftOut', { count: orders.length - able.length })}</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
