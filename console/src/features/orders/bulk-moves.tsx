import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { commonWords, orderWords, useWords } from '../../i18n/index.ts';
import { useApi } from '../../platform/index.ts';
import { Button, Menu } from '../../ui/index.ts';
import type { Selection } from '../../ui/list/index.ts';
import { BulkDialog, useBulk } from './bulk-dialog.tsx';
import { moveInBulk } from './move-in-bulk.ts';
import { type Move, movesFrom } from './moves.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];
const READS = ['listOrders', 'getOrder', 'readOrdersDashboard'];

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
  // The selection when the dialog opened: moved orders leave the selection when it closes.
  const [orders] = useState(selection.rows);
  const able = orders.filter((order) => movesFrom(order.status).includes(move));
  const ids = able.map(({ id }) => id);
  const bulk = useBulk((to: Move, run) => moveInBulk(api, ids, to, run), READS);
  function close(): void {
    const moved = new Set(bulk.run.data?.changed);
    if (moved.size > 0)
      selection.keepOnly(new Set(selection.rows.filter(({ id }) => !moved.has(id)).map(({ id }) => id)));
    props.onClose();
  }
  return (
    <BulkDialog
      title={t('bulkTitle', { count: orders.length, status: status(`status.${move}`) })}
      doneTitle={({ changed }) => t('bulkDone', { count: changed.length })}
      bulk={bulk}
      orders={orders}
      total={able.length}
      onClose={close}
      foot={
        <>
          <Button onPress={close}>{move === 'cancelled' ? t('keepOrders') : common('cancel')}</Button>
          <Button
            look={move === 'cancelled' ? 'danger' : 'primary'}
            isDisabled={able.length === 0}
            onPress={() => bulk.run.mutate(move)}
          >
            {t('bulkGo', { count: able.length })}
          </Button>
        </>
      }
    >
      <div className="orders-bulk">
        <p>{able.length === 0 ? t('bulkNone') : t('bulkText')}</p>
        {move === 'cancelled' && able.length > 0 && <p>{t('bulkCancelText')}</p>}
        {able.length > 0 && able.length < orders.length && (
          <p className="soft">{t('bulkLeftOut', { count: orders.length - able.length })}</p>
        )}
      </div>
    </BulkDialog>
  );
}
