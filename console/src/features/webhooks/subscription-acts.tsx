import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useMay, useReadAgain } from '../../platform/index.ts';
import { Button, ConfirmDialog, Menu, showToast } from '../../ui/index.ts';
import type { Subscription } from './health.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { webhooksWords } from './words.ts';

type Open = 'edit' | 'rotate' | 'recover' | 'delete';

/** Test and pause as buttons, other actions in a menu. */
export function SubscriptionActs({ row }: { row: Subscription }): ReactNode {
  const t = useWords(webhooksWords);
  const may = useMay();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const say = useSayFailure();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const path = { id: row.id };
  const again = () => readAgain('listWebhookSubscriptions', 'getWebhookSubscription', 'listWebhookDeliveries');

  const test = useMutation({
    mutationFn: () => api.call('testWebhookSubscription', { path }),
    onSuccess: async ({ id }) => {
      showToast({ tone: 'good', text: t('testSent') });
      await again();
      void navigate({ to: '/webhooks/$id', params: path, search: { delivery: id } });
    },
    onError: say,
  });
  const move = useMutation({
    mutationFn: (status: 'active' | 'paused') => api.call('changeWebhookSubscription', { path, body: { status } }),
    onSuccess: async ({ status }) => {
      showToast({ tone: 'good', text: status === 'paused' ? t('nowPaused') : t('nowActive') });
      await again();
    },
    onError: say,
  });
  const rotate = useMutation({
    mutationFn: () => api.call('rotateWebhookSecret', { path }),
    onSuccess: async (answer) => {
      setOpen(undefined);
      setSecret(answer.secret);
      await again();
    },
    onError: say,
  });
  const remove = useMutation({
    mutationFn: () => api.call('deleteWebhookSubscription', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('deleted') });
      await navigate({ to: '/webhooks' });
      await readAgain('listWebhookSubscriptions');
    },
    onError: say,
  });
  const close = () => setOpen(undefined);
  const isActive = row.status === 'active';
  return (
    <>
      <Button icon="bolt" isPending={test.isPending} onPress={() => test.mutate()}>
        {t('test')}
      </Button>
      <Button
        look={isActive ? 'plain' : 'primary'}
        isPending={move.isPending}
        onPress={() => move.mutate(isActive ? 'paused' : 'active')}
      >
        {isActive ? t('pause') : row.status === 'paused' ? t('resume') : t('activate')}
      </Button>
      <Menu
        label={t('moreActs')}
        button={{ icon: 'more', 'aria-label': t('moreActs') }}
        groups={[
          {
            id: 'acts',
            entries: [
              { id: 'edit', text: t('edit'), onAction: () => setOpen('edit') },
              { id: 'rotate', text: t('rotate'), onAction: () => setOpen('rotate') },
              { id: 'recover', text: t('recover'), onAction: () => setOpen('recover') },
              ...(may('delete:Webhooks')
                ? [{ id: 'delete', text: t('delete'), look: 'danger' as const, onAction: () => setOpen('delete') }]
                : []),
            ],
          },
        ]}
      />
      {open === 'edit' && <SubscriptionForm of={row} onClose={close} />}
      {open === 'recover' && <RecoverDialog row={row} onClose={close} />}
      <ConfirmDialog
        title={t('rotateTitle')}
        isOpen={open === 'rotate'}
        onClose={close}
        onConfirm={() => rotate.mutate()}
        confirm={t('rotate')}
        isBusy={rotate.isPending}
      >
        <p>{t('rotateText')}</p>
        {row.rotating && <p>{t('rotateAgainText')}</p>}
      </ConfirmDialog>
      <ConfirmDialog
        title={t('deleteTitle')}
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate()}
        confirm={t('delete')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('deleteText')}</p>
      </ConfirmDialog>
      {secret !== undefined && (
        <SecretDialog
          title={t('newSecretTitle')}
          secret={secret}
          note={t('newSecretOnce')}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

export function useSayFailure(): (error: unknown) => void {
  const explain = useExplainError();
  return (error) => {
    const { title, hint } = explain(error);
    showToast({ tone: 'bad', text: title, detail: hint });
  };
}
