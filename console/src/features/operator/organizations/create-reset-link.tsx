import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Notice } from '../../../ui/index.ts';
import { useKeyFor } from '../parts/key-for.ts';
import { type AccountAction, AccountForm } from './account-form.tsx';
import { organizationsWords } from './words.ts';

/** A link with which the owner of an account sets a new password, shown once. */
export function CreateResetLink({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const common = useWords(commonWords);
  const { dateTime } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const create = useMutation({
    mutationFn: (body: AccountAction) => api.call('createUserReset', { body, idempotencyKey: keyFor(body) }),
    onSuccess: () => readAgain('listOperatorAudit'),
  });
  if (create.data === undefined) {
    return (
      <AccountForm
        title={t('resetLinkTitle')}
        text={t('resetLinkText')}
        send={t('resetLinkSend')}
        action={create}
        onClose={onClose}
      />
    );
  }
  const { reset_url, expires_at } = create.data;
  return (
    <Dialog
      title={t('resetLinkTitle')}
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" onPress={onClose}>
          {common('close')}
        </Button>
      }
    >
      <Notice>{t('resetLinkReady', { email: create.variables.email, until: dateTime(expires_at) })}</Notice>
      <CopyText label={t('resetLink')} text={reset_url} />
    </Dialog>
  );
}
