import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useReadAgain } from '../../../platform/index.ts';
import { Field, showToast } from '../../../ui/index.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords } from '../parts/say.ts';
import { organizationsWords } from './words.ts';

/** By the address, since an account may belong to several organizations or to none. */
export function ResetTotp({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const resetting = useMutation({
    mutationFn: (body: { email: string; reason: string }) =>
      api.call('resetUserTotp', { body, idempotencyKey: keyFor(body) }),
    onSuccess: async (_done, given) => {
      showToast({ tone: 'good', text: t('totpReset', { email: given.email }) });
      onClose();
      await readAgain('listOperatorAudit');
    },
  });
  const isInvalid = resetting.error instanceof DukkanError && resetting.error.status === 422;
  const refused = isInvalid ? fieldErrors(resetting.error) : {};
  const missing = (value: string) => (isTried && value.trim() === '' ? common('required') : undefined);
  function send(): void {
    setTried(true);
    if (email.trim() === '' || reason.trim() === '') return;
    resetting.mutate({ email: email.trim(), reason: reason.trim() });
  }
  return (
    <FormDialog
      title={t('resetTotp')}
      onClose={onClose}
      onSend={send}
      send={t('resetTotpSend')}
      isBusy={resetting.isPending}
      error={resetting.error}
      danger
    >
      <p>{t('resetTotpText')}</p>
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
