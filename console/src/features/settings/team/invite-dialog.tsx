import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useDraft, useReadAgain } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Field, Notice } from '../../../ui/index.ts';
import { RestoredNotice } from '../../../ui/leave-guard.tsx';
import { Form } from '../form.tsx';
import { meaningful } from '../grants/grants.ts';
import { Refusal } from '../refusal.tsx';
import { settingsWords } from '../words.ts';
import { useTeamRefusals } from './refusals.ts';
import { type Standing, StandingForm } from './standing-form.tsx';
import { teamWords } from './words.ts';

const FORM = 'invite';
const FIRST: Standing = { role: 'member', branch: null, differences: { added: [], withheld: [] } };

export default function InviteDialog({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(teamWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const refusals = useTeamRefusals();
  const { values, setValues, isRestored, clear } = useDraft('invite', { email: '', standing: FIRST });
  const { email, standing } = values;
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const invite = useMutation({
    mutationFn: () => api.call('inviteMember', { body: { email: email.trim(), ...bodyOf(standing) } }),
    onSuccess: () => {
      clear();
      return readAgain('listMembers');
    },
  });
  if (invite.data !== undefined) return <InviteLink {...invite.data.data} onClose={onClose} />;
  const isAddress = /^\S+@\S+\.\S+$/.test(email.trim());
  const refused = fieldErrors(invite.error);
  function send(): void {
    setTried(true);
    if (isAddress) invite.mutate();
  }
  return (
    <Dialog
      title={t('inviteTitle')}
      isOpen
      onClose={close}
      isFilled={isRestored}
      place="side"
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isPending={invite.isPending}>
            {t('send')}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSend={send}>
        <RestoredNotice isShown={isRestored} />
        <p className="soft">{t('inviteHint')}</p>
        <Refusal error={invite.error} words={refusals} />
        <Field
          label={t('email')}
          type="email"
          value={email}
          onChange={(text) => setValues((before) => ({ ...before, email: text }))}
          error={isTried && !isAddress ? t('emailWrong') : undefined}
          autoComplete="off"
          autoFocus
          ltr
        />
        <StandingForm
          value={standing}
          onChange={(next) => setValues((before) => ({ ...before, standing: next }))}
          branchError={refused.branch_iv_id}
        />
      </Form>
    </Dialog>
  );
}

export function InviteLink(props: { email: string; invite_url: string; onClose(): void }): ReactNode {
  const t = useWords(teamWords);
  const settings = useWords(settingsWords);
  const { email, invite_url, onClose } = props;
  return (
    <Dialog
      title={t('linkTitle')}
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" onPress={onClose}>
          {settings('done')}
        </Button>
      }
    >
      <div className="settings-stack">
        <Notice>{t('linkHint', { email })}</Notice>
        <CopyText label={t('link')} text={invite_url} />
      </div>
    </Dialog>
  );
}

export function bodyOf({ role, branch, differences }: Standing) {
  const { added, withheld } = meaningful(role, differences);
  return { role, branch_iv_id: branch, grants_added: [...added], grants_withheld: [...withheld] };
}
