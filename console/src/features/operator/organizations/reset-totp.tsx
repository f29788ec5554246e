import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { showToast } from '../../../ui/index.ts';
import { useKeyFor } from '../parts/key-for.ts';
import { type AccountAction, AccountForm } from './account-form.tsx';
import { organizationsWords } from './words.ts';

/** Removes the second factor of an account whose owner has lost it. */
export function ResetTotp({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const reset = useMutation({
    mutationFn: (body: AccountAction) => api.call('resetUserTotp', { body, idempotencyKey: keyFor(body) }),
    onSuccess: async (_done, { email }) => {
      showToast({ tone: 'good', text: t('totpReset', { email }) });
      onClose();
      await readAgain('listOperatorAudit');
    },
  });
  return (
    <AccountForm
      title={t('resetTotp')}
      text={t('resetTotpText')}
      send={t('resetTotpSend')}
      danger
      action={reset}
      onClose={onClose}
    />
  );
}
