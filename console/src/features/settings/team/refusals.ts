import { useWords } from '../../../i18n/index.ts';
import { teamWords } from './words.ts';

/** Texts for the refusals of the team, by `X-Error-Reason`. */
export function useTeamRefusals(): Record<string, string> {
  const t = useWords(teamWords);
  return {
    'last-owner': t('lastOwner'),
    'owner-required': t('ownerRequired'),
    'already-a-member': t('alreadyMember'),
    'already-invited': t('alreadyInvited'),
    'missing-grant': t('missingGrant'),
    'too-many-members': t('tooMany'),
    'member-of-another-organization': t('elsewhere'),
    'team-was-changed-meanwhile': t('meanwhile'),
  };
}
