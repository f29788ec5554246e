import { DukkanError } from '@dukkan/sdk';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors } from '../../../platform/index.ts';
import { Field } from '../../../ui/index.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useOperatorWords } from '../parts/say.ts';
import { organizationsWords } from './words.ts';

export type AccountAction = { email: string; reason: string };

/** An action on one account, by its address, since an account may belong to several organizations or to none. */
export function AccountForm<Answer>(props: {
  title: string;
  text: string;
  send: string;
  danger?: boolean;
  action: UseMutationResult<Answer, Error, AccountAction>;
  onClose(): void;
}): ReactNode {
  const { title, text, send, danger = false, action, onClose } = props;
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const isInvalid = action.error instanceof DukkanError && action.error.status === 422;
  const refused = isInvalid ? fieldErrors(action.error) : {};
  const missing = (value: string) => (isTried && value.trim() === '' ? common('required') : undefined);
  function submit(): void {
    setTried(true);
    if (email.trim() === '' || reason.trim() === '') return;
    action.mutate({ email: email.trim(), reason: reason.trim() });
  }
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSend={submit}
      send={send}
      isBusy={action.isPending}
      error={action.error}
      danger={danger}
    >
      <p>{text}</p>
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
