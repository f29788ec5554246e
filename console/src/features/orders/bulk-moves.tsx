import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { commonWords, orderWords, useChannelName, useFormat, useLanguage, useWords } from '../../i18n/index.ts';
import { wordMessage } from '../../i18n/refusals/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Menu } from '../../ui/index.ts';
import { BulkBar, type Selection } from '../../ui/list/index.ts';
import { Progress } from '../../ui/progress.tsx';
import { type BulkProgress, moveInBulk } from './move-in-bulk.ts';
import { type Move, movesFrom } from './moves.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

const MOVES: readonly Move[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered', 'cancelled'];

export function BulkMoves({ selection }: { selection: Selection<Order> }): ReactNode {
  const t = useWords(ordersWords);
  const [move, setMove] = useState<Move | undefined>(undefined);
  return (
    <BulkBar count={selection.rows.length} clear={t('clearSelection')} onClear={selection.clear}>
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
    </BulkBar>
  );
}

function MoveDialog(props: { move: Move; selection: Selection<Order>; onClose(): void }): ReactNode {
  const { move, selection } = props;
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const status = useWords(orderWords);
  const { number } = useFormat();
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
      const moved = new Set(run.data.moved);
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
        <Outcome result={run.data} total={able.length} orders={orders} />
      ) : run.isPending ? (
        <div className="orders-bulk">
          <Progress label={t('bulkProgress')} done={progress?.done ?? 0} total={able.length} />
          <p role="status">{t('bulkRunning', { done: number(progress?.done ?? 0), total: number(able.length) })}</p>
        </div>
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

function Outcome(props: { result: BulkProgress; total: number; orders: readonly Order[] }): ReactNode {
  const t = useWords(ordersWords);
  const language = useLanguage();
  const channel = useChannelName();
  const { moved, refused, done } = props.result;
  /** `Vendor refused: what the vendor said`, where it said anything. */
  const inWords = (why: string) => {
    if (language === 'en') return why;
    const [, sentence = why, said = ''] = /^(Vendor (?:refused|unavailable)): (.*)$/s.exec(why) ?? [];
    const arabic = wordMessage(language, '', sentence);
    return said === '' ? arabic : `${arabic}: ${said}`;
  };
  return (
    <div className="orders-bulk" role="status">
      <p className="strong">{t('bulkDone', { count: moved.length })}</p>
      {props.total > done && <p>{t('bulkStopped', { count: props.total - done })}</p>}
      {refused.size > 0 && (
        <>
          <p>{t('bulkRefused', { count: refused.size })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard access */}
          <section className="orders-refused" aria-label={t('bulkWhy')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('column.order')}</th>
                  <th scope="col">{t('column.channel')}</th>
                  <th scope="col">{t('bulkWhy')}</th>
                </tr>
              </thead>
              <tbody>
                {props.orders
                  .filter(({ id }) => refused.has(id))
                  .map((order) => (
                    <tr key={order.id}>
                      <td>
                        <span className="ltr">{order.external.code}</span>
                      </td>
                      <td>{channel(order.channel.app_slug)}</td>
                      <td>{inWords(refused.get(order.id) ?? '')}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </div>
  );
}
