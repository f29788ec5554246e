import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { ConfirmDialog, showToast } from '../../ui/index.ts';
import type { ListedSecret } from './secret-columns.tsx';
import { settingsWords } from './words.ts';

/** Asks before an API key or a session token is revoked. */
export function RevokeDialog(props: {
  secret: ListedSecret;
  operation: 'revokeApiKey' | 'revokeSessionToken';
  list: 'listApiKeys' | 'listSessionTokens';
  title(name: string): string;
  text: string;
  onClose(): void;
}): ReactNode {
  const { secret, operation, list, title, text, onClose } = props;
  const t = useWords(settingsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const revoke = useMutation({
    mutationFn: () => api.call(operation, { path: { id: secret.id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('revoked') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: async () => {
      onClose();
      await readAgain(list);
    },
  });
  return (
    <ConfirmDialog
      title={title(secret.name === '' ? `…${secret.hint}` : secret.name)}
      isOpen
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
      confirm={t('revoke')}
      isBusy={revoke.isPending}
      danger
    >
      {text}
    </ConfirmDialog>
  );
}
