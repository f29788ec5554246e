import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import {
  fieldErrors,
  type Grant,
  ifMatch,
  reloadAccount,
  saveFields,
  useApi,
  useMay,
  useReadAgain,
  useSession,
} from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { Button, ConfirmDialog, Dialog, Facts, showToast } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { ROLES } from '../grants/grants.ts';
import { Refusal } from '../refusal.tsx';
import { settingsWords } from '../words.ts';
import { bodyOf, InviteLink } from './invite-dialog.tsx';
import { MemberLinks } from './member-links.tsx';
import { useTeamRefusals } from './refusals.ts';
import { type Standing, StandingForm } from './standing-form.tsx';
import { teamWords } from './words.ts';

type Member = Schemas['Member'];
const FORM = 'member';
const LABELS = {
  role: 'role',
  branch_iv_id: 'branch',
  grants_added: 'grantsAdded',
  grants_withheld: 'grantsWithheld',
} as const;

/** A member: role and grants, changing and removing them. */
export default function MemberPanel({ member, onClose }: { member: Member; onClose(): void }): ReactNode {
  const t = useWords(teamWords);
  const common = useWords(commonWords);
  const settings = useWords(settingsWords);
  const { dateTime, when } = useFormat();
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const refusals = useTeamRefusals();
  const session = useSession();
  const [standing, setStanding] = useState(() => standingOf(member));
  const [isRemoving, setRemoving] = useState(false);
  const isOwn = session.phase === 'in' && session.account.user.id === member.user_id;
  const isInvited = member.status === 'invited';
  const path = { id: member.id };
  const { choose, dialog } = useConflictChoice(
    (field) => (field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : field),
    (_field, value) => (Array.isArray(value) ? value.join(', ') : undefined),
  );
  const settle = async () => {
    await readAgain('listMembers');
    if (isOwn) await reloadAccount();
  };
  const change = useMutation({
    mutationFn: () =>
      saveFields({
        base: member,
        change: changedIn(bodyOf(standingOf(member)), bodyOf(standing)),
        choose,
        send: async (body, latest) => (await api.call('changeMember', { path, body, headers: ifMatch(latest) })).data,
      }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('changed') });
      onClose();
      await settle();
    },
  });
  const removal = useMutation({
    mutationFn: () => api.call('removeMember', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t(isInvited ? 'withdrawn' : 'removed', { email: member.email }) });
      onClose();
      await settle();
    },
    onError: () => setRemoving(false),
  });
  // An invitation has one link, shown once to its creator; a new link is a new invitation.
  const newLink = useMutation({
    mutationFn: async () => {
      await api.call('removeMember', { path });
      return api.call('inviteMember', { body: { email: member.email, ...bodyOf(standing) } });
    },
    onSettled: () => readAgain('listMembers'),
  });
  if (newLink.data !== undefined) return <InviteLink {...newLink.data.data} onClose={onClose} />;
  const isChanged = JSON.stringify(bodyOf(standing)) !== JSON.stringify(bodyOf(standingOf(member)));
  return (
    <>
      <Dialog
        title={member.name === '' ? member.email : member.name}
        isOpen
        onClose={onClose}
        place="side"
        foot={
          <div className="settings-foot">
            {may('delete:Settings') && (
              <Button look="danger" onPress={() => setRemoving(true)}>
                {t(isInvited ? 'withdraw' : 'remove')}
              </Button>
            )}
            {may('update:Settings') && (
              <Button type="submit" form={FORM} look="primary" isDisabled={!isChanged} isPending={change.isPending}>
                {common('save')}
              </Button>
            )}
          </div>
        }
      >
        <Form id={FORM} onSend={() => isChanged && change.mutate()}>
          <Refusal error={change.error ?? removal.error ?? newLink.error} words={refusals} />
          <Facts
            facts={[
              [
                t('email'),
                <span key="email" className="ltr">
                  {member.email}
                </span>,
              ],
              [t('state'), t(isInvited ? 'state.invited' : 'state.active')],
              [
                isInvited ? settings('created') : t('lastSeen'),
                isInvited
                  ? dateTime(member.created)
                  : member.last_seen_at === null
                    ? settings('never')
                    : when(member.last_seen_at),
              ],
            ]}
          />
          {isInvited && may('create:Settings') && may('delete:Settings') && (
            <div className="settings-buttons">
              <Button isPending={newLink.isPending} onPress={() => newLink.mutate()}>
                {t('newLink')}
              </Button>
              <span className="soft small">{t('newLinkHint')}</span>
            </div>
          )}
          <MemberLinks member={member} isOwn={isOwn} />
          <StandingForm
            value={standing}
            onChange={setStanding}
            isReadOnly={!may('update:Settings')}
            branchError={fieldErrors(change.error).branch_iv_id}
          />
        </Form>
      </Dialog>
      {dialog}
      <ConfirmDialog
        title={t('removeTitle', { email: member.email })}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => removal.mutate()}
        confirm={t(isInvited ? 'withdraw' : 'remove')}
        isBusy={removal.isPending}
        danger
      >
        {t(isInvited ? 'withdrawText' : 'removeText')}
      </ConfirmDialog>
    </>
  );
}

/** Only what was changed here, so that another owner's change of the rest stays. Role and grants depend on each other. */
function changedIn(before: ReturnType<typeof bodyOf>, after: ReturnType<typeof bodyOf>) {
  const { branch_iv_id, ...grants } = after;
  const { branch_iv_id: branchBefore, ...grantsBefore } = before;
  return {
    ...(branch_iv_id !== branchBefore && { branch_iv_id }),
    ...(JSON.stringify(grants) !== JSON.stringify(grantsBefore) && grants),
  };
}

function standingOf(member: Member): Standing {
  return {
    role: ROLES.find((role) => role === member.role) ?? 'viewer',
    branch: member.branch_iv_id,
    differences: { added: member.grants_added as Grant[], withheld: member.grants_withheld as Grant[] },
  };
}
