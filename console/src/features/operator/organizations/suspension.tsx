import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { Field, showToast } from '../../../ui/index.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useOperatorWords } from '../parts/say.ts';
import type { Tenant } from './tenant.ts';
import { organizationsWords } from './words.ts';

type Props = { one: Tenant; onClose(): void };

export function Suspend({ one, onClose }: Props): ReactNode {
  const t = useWords(organizationsWords);
  const name = useName()(one);
  return (
    <WithReason
      one={one}
      onClose={onClose}
      operation="suspendOrganization"
      title={t('suspendTitle', { name })}
      text={t('suspendText')}
      hint={t('reasonHint')}
      send={t('suspend')}
      done={t('suspended', { name })}
      danger
    />
  );
}

export function Resume({ one, onClose }: Props): ReactNode {
  const t = useWords(organizationsWords);
  const name = useName()(one);
  return (
    <WithReason
      one={one}
      onClose={onClose}
      operation="resumeOrganization"
      title={t('resumeTitle', { name })}
      text={t('resumeText')}
      hint={t('resumeHint')}
      send={t('resume')}
      done={t('resumed', { name })}
    />
  );
}

function WithReason(
  props: Props & {
    operation: 'suspendOrganization' | 'resumeOrganization';
    title: string;
    text: string;
    hint: string;
    send: string;
    done: string;
    danger?: boolean;
  },
): ReactNode {
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const { one, onClose, operation, title, text, hint, send, done, danger } = props;
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const acting = useMutation({
    mutationFn: () => api.call(operation, { path: { id: one.id }, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: done });
      onClose();
      await readAgain('listFleetOrganizations', 'readFleetMetrics', 'listOperatorAudit');
    },
  });
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSend={() => {
        setTried(true);
        if (reason.trim() !== '') acting.mutate();
      }}
      send={send}
      isBusy={acting.isPending}
      error={acting.error}
      {...(danger && { danger })}
    >
      <p>{text}</p>
      <Field
        label={shared('reason')}
        hint={hint}
        value={reason}
        onChange={setReason}
        error={isTried && reason.trim() === '' ? common('required') : undefined}
        maxLength={1000}
        lines={3}
        autoFocus
      />
    </FormDialog>
  );
}
