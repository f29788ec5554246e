import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useReadAgain } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Field, Notice } from '../../../ui/index.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords } from '../parts/say.ts';
import { organizationsWords } from './words.ts';

/** By the address, since an account may belong to several organizations or to none. */
export function CreateResetLink({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const { dateTime } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: (body: { email: string; reason: string }) =>
      api.call('createUserReset', { body, idempotencyKey: keyFor(body) }),
    onSuccess: () => readAgain('listOperatorAudit'),
  });
  if (create.data !== undefined) {
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
        <Notice>{t('resetLinkReady', { email: email.trim(), until: dateTime(expires_at) })}</Notice>
        <CopyText label={t('resetLink')} text={reset_url} />
      </Dialog>
    );
  }
  const isInvalid = create.error instanceof DukkanError && create.error.status === 422;
  const refused = isInvalid ? fieldErrors(create.error) : {};
  const missing = (value: string) => (isTried && value.trim() === '' ? common('required') : undefined);
  function send(): void {
    setTried(true);
    if (email.trim() === '' || reason.trim() === '') return;
    create.mutate({ email: email.trim(), reason: reason.trim() });
  }
  return (
    <FormDialog
      title={t('resetLinkTitle')}
      onClose={onClose}
      onSend={send}
      send={t('resetLinkSend')}
      isBusy={create.isPending}
      error={create.error}
    >
      <p>{t('resetLinkText')}</p>
      <Field
        label={t('resetTotpEmail')}
        type="email"
        value={email}
        onChange={setEmail}
        error={missing(email) ?? (refused.email === undefined ? undefined : t('resetTotpRefused'))}
        autoFocus
        ltr
      />
      <Field
        label={shared('reason')}
        hint={t('resetTotpReason')}
        value={reason}
        onChange={setReason}
        error={missing(reason)}
        maxLength={1000}
        lines={2}
      />
    </FormDialog>
  );
}
