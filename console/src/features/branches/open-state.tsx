import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useOrganization, useRead } from '../../platform/index.ts';
import { Badge } from '../../ui/index.ts';
import { useDayName } from './hours/day-name.ts';
import { type Now, stateAt, timeText, weekOf } from './hours/week.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];
const MINUTE_MS = 60_000;
const STALE_MS = 300_000;
/** The service's most. Of a larger organization, a branch that is not in the answer shows no opening time. */
const MOST_BRANCHES = 100;

/** Open or closed now, and until when, by the branch's own clock. Of an inactive branch its status says enough. */
export function OpenState({ branch, short = false }: { branch: Branch; short?: boolean }): ReactNode {
  const t = useWords(branchesWords);
  const day = useDayName();
  const { time_zone } = useOrganization();
  const now = stateAt(weekOf(branch.working_hours_periods), new Date(), branch.time_zone ?? time_zone);
  const opensAsSaid = useOpensThen(branch, now);
  const detail = branch.is_open === isOpen(now) && opensAsSaid ? detailOf(now) : undefined;
  if (!branch.active) return <span className="soft">—</span>;
  function detailOf(state: Now): string {
    switch (state.state) {
      case 'always':
        return t('always');
      case 'open':
        return t('until', { time: timeText(state.until) });
      case 'closed':
        return state.isToday
          ? t('opensToday', { time: timeText(state.opens) })
          : t('opensOn', { day: day(state.day), time: timeText(state.opens) });
      case 'never':
        return t('noHours');
    }
  }
  return (
    <span className="branch-open" data-short={short || undefined}>
      <Badge tone={branch.is_open ? 'good' : 'plain'}>{t(branch.is_open ? 'open' : 'closed')}</Badge>
      {detail !== undefined && <span className="soft small">{detail}</span>}
    </span>
  );
}

/**
 * Whether a closed branch opens at the next time of its hours. The hours do not know closed days such as Eid, so the service is asked which branches
 * are open then: one question for all branches of a list with the same opening time. Until it answers, no time is shown.
 */
function useOpensThen({ iv_id, active }: Branch, now: Now): boolean {
  const isAsked = active && now.state === 'closed';
  const minute = Math.floor(Date.now() / MINUTE_MS) + (now.state === 'closed' ? now.inMinutes : 0);
  const open_at = new Date(minute * MINUTE_MS).toISOString();
  const query = { open_at, limit: MOST_BRANCHES, sort: 'name_en' };
  const answer = useRead('listBranches', { query }, { enabled: isAsked, staleTime: STALE_MS });
  return !isAsked || answer.data?.data.some((branch) => branch.iv_id === iv_id) === true;
}

const isOpen = ({ state }: Now) => state === 'open' || state === 'always';
