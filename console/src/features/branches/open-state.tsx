import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useOrganization } from '../../platform/index.ts';
import { Badge } from '../../ui/index.ts';
import { useDayName } from './hours/day-name.ts';
import { type Now, stateAt, timeText, weekOf } from './hours/week.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];

/** Open or closed now, and until when, by the branch's own clock. */
export function OpenState({ branch, short = false }: { branch: Branch; short?: boolean }): ReactNode {
  const t = useWords(branchesWords);
  const day = useDayName();
  const { time_zone } = useOrganization();
  if (!branch.active) return <Badge tone="warn">{t('inactive')}</Badge>;
  const now = stateAt(weekOf(branch.working_hours_periods), new Date(), branch.time_zone ?? time_zone);
  const detail = branch.is_open === isOpen(now) ? detailOf(now) : undefined;
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

const isOpen = ({ state }: Now) => state === 'open' || state === 'always';
