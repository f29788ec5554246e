import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useMay } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Notice } from '../../../ui/index.ts';
import { Refusal } from '../refusal.tsx';
import { useTeamRefusals } from './refusals.ts';
import { teamWords } from './words.ts';

/** What a member did, and a link for a member who forgot the password. */
export function MemberLinks({ member, isOwn }: { member: Schemas['Member']; isOwn: boolean }): ReactNode {
  const t = useWords(teamWords);
  const { dateTime } = useFormat();
  const may = useMay();
  const api = useApi();
  const refusals = useTeamRefusals();
  const create = useMutation({
    mutationFn: () => api.call('createMemberReset', { path: { id: member.id } }),
  });
  if (member.user_id === null) return null;
  return (
    <div className="settings-stack">
      <div className="settings-buttons">
        <Link to="/settings/audit" search={{ actor: member.user_id }} className="ui-button">
          {t('activity')}
        </Link>
        {may('update:Settings') && !isOwn && (
          <Button isPending={create.isPending} onPress={() => create.mutate()}>
            {t('resetPassword')}
          </Button>
        )}
      </div>
      <Refusal error={create.error} words={refusals} />
      {create.data !== undefined && (
        <>
          <Notice>{t('resetHint', { email: member.email, until: dateTime(create.data.expires_at) })}</Notice>
          <CopyText label={t('resetLink')} text={create.data.reset_url} />
        </>
      )}
    </div>
  );
}
