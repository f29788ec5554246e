import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { orderWords, useChannelName, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, ConfirmDialog, Menu, showToast } from '../../ui/index.ts';
import { type Move, movesFrom, storedWord } from './moves.ts';
import { vendorSaid } from './vendor-said.ts';
import { ordersWords } from './words.ts';

/** The next status as a button, the others in a menu. A vendor's refusal is shown, and the order stays unchanged. */
export function OrderMoves({ order }: { order: Schemas['CanonicalOrder'] }): ReactNode {
  const t = useWords(ordersWords);
  const status = useWords(orderWords);
  const channel = useChannelName();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [isCancelling, setCancelling] = useState(false);
  const move = useMutation({
    mutationFn: (to: Move) =>
      api.call('advanceOrder', { path: { id: order.id }, body: { order_status: storedWord(to) } }),
    onSuccess: async ({ data }, to) => {
      const forwardedTo =
        'forwarded_to' in data && typeof data.forwarded_to === 'string' ? data.forwarded_to : undefined;
      showToast({
        tone: 'good',
        text: t('moved', { status: status(`status.${to}`) }),
        detail: forwardedTo === undefined ? undefined : t('forwarded', { app: channel(forwardedTo) }),
      });
      await readAgain('getOrder', 'readOrderTimeline', 'listOrders', 'readOrdersDashboard');
    },
    onError: (error) => {
      const said = vendorSaid(error);
      if (said !== undefined) {
        const app = channel(said.app);
        const text = said.isRefusal ? t('vendorRefused', { app }) : t('vendorSilent', { app });
        showToast({ tone: 'bad', text, detail: said.message });
        return;
      }
      const { title, hint } = explain(error);
      showToast({ tone: 'bad', text: title, detail: hint });
    },
    onSettled: () => setCancelling(false),
  });
  const [next, ...others] = movesFrom(order.status);
  if (next === undefined) return null;
  const go = (to: Move) => (to === 'cancelled' ? setCancelling(true) : move.mutate(to));
  return (
    <>
      <Button look={next === 'cancelled' ? 'danger' : 'primary'} isPending={move.isPending} onPress={() => go(next)}>
        {t(`move.${next}`)}
      </Button>
      {others.length > 0 && (
        <Menu
          label={t('otherMoves')}
          button={{ icon: 'more', 'aria-label': t('otherMoves'), isDisabled: move.isPending }}
          groups={[
            {
              id: 'moves',
              entries: others.map((to) => ({
                id: to,
                text: t(`move.${to}`),
                onAction: () => go(to),
                ...(to === 'cancelled' && { look: 'danger' as const }),
              })),
            },
          ]}
        />
      )}
      <ConfirmDialog
        title={t('cancelTitle')}
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        onConfirm={() => move.mutate('cancelled')}
        confirm={t('move.cancelled')}
        keep={t('keepOrder')}
        isBusy={move.isPending}
        danger
      >
        <p>{t('cancelText')}</p>
      </ConfirmDialog>
    </>
  );
}
