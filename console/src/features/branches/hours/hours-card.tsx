import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import {
  ifMatch,
  saveFields,
  useApi,
  useDraft,
  useExplainError,
  useMay,
  useOrganization,
  useReadAgain,
} from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { Button, Card, Notice, showToast } from '../../../ui/index.ts';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { useDayName } from './day-name.ts';
import { DayRow } from './day-row.tsx';
import './hours.css';
import {
  minuteOfWeek,
  minutesAWeek,
  overlapping,
  periodsOf,
  timeText,
  WEEK_DAYS,
  type Week,
  type WeekDay,
  weekOf,
} from './week.ts';
import { WeekAxis } from './week-axis.tsx';
import { hoursWords } from './words.ts';

/** The opening hours of a week, shown and edited in the same chart. */
export function HoursCard({ branch }: { branch: Schemas['Branch'] }): ReactNode {
  const t = useWords(hoursWords);
  const common = useWords(commonWords);
  const { number } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const may = useMay();
  const { time_zone } = useOrganization();
  const zone = branch.time_zone ?? time_zone;
  const saved = useMemo(() => weekOf(branch.working_hours_periods), [branch.working_hours_periods]);
  const {
    values: draft,
    setValues: setDraft,
    isDirty,
    clear,
  } = useDraft<Week | null>(`hours.${branch.iv_id}`, null, {
    isUnchanged: (values) => values === null || JSON.stringify(values) === JSON.stringify(saved),
  });
  const week = draft ?? saved;
  const wrong = useMemo(() => overlapping(week), [week]);
  const now = minuteOfWeek(new Date(), zone);
  const day = useDayName();
  const { choose, dialog } = useConflictChoice(
    () => t('title'),
    (_field, value) => weekText(weekOf(value as Schemas['WorkingPeriod'][]), day),
  );
  const saving = useMutation({
    mutationFn: (wanted: Week) =>
      saveFields({
        base: branch,
        change: { working_hours_periods: periodsOf(wanted) },
        choose,
        send: async ({ working_hours_periods: working_hours }, latest) => {
          const path = { ivId: branch.iv_id };
          const answer = await api.call('setWorkingHours', { path, body: { working_hours }, headers: ifMatch(latest) });
          return answer.data;
        },
      }),
    onSuccess: async () => {
      clear(null);
      await readAgain('getBranch', 'listBranches');
      showToast({ tone: 'good', text: t('saved') });
    },
  });
  const hours = minutesAWeek(week) / 60;
  return (
    <Card
      title={t('title')}
      tools={
        draft === null ? (
          may('update:Branches') && (
            <Button
              size="small"
              onPress={() => {
                saving.reset();
                setDraft(saved);
              }}
            >
              {t('edit')}
            </Button>
          )
        ) : (
          <span className="hours-tools">
            <Button size="small" onPress={() => clear(null)}>
              {common('cancel')}
            </Button>
            <Button
              size="small"
              look="primary"
              isDisabled={wrong.size > 0}
              isPending={saving.isPending}
              onPress={() => saving.mutate(draft)}
            >
              {common('save')}
            </Button>
          </span>
        )
      }
    >
      <LeaveGuard isDirty={isDirty} onDiscard={() => clear(null)} />
      {dialog}
      <div className="hours" data-editing={draft !== null || undefined}>
        {saving.error !== null && <Notice tone="bad">{inWords(explain(saving.error))}</Notice>}
        {wrong.size > 0 && <Notice tone="warn">{t('mend')}</Notice>}
        {draft !== null && <p className="soft small">{t('help')}</p>}
        <WeekAxis />
        <ul>
          {WEEK_DAYS.map((day, index) => (
            <DayRow
              key={day}
              day={day}
              week={week}
              wrong={wrong}
              now={Math.floor(now / 1440) === index ? now % 1440 : undefined}
              {...(draft === null ? {} : { onChange: setDraft })}
            />
          ))}
        </ul>
        <p className="soft small hours-foot">
          <span>{t('clock', { zone })}</span>
          <span>{hours === 0 ? t('never') : t('total', { hours: number(Math.round(hours * 10) / 10) })}</span>
        </p>
      </div>
    </Card>
  );
}

/** `Sunday 09:00–23:00, Monday ...` */
function weekText(week: Week, dayName: (day: WeekDay) => string): string {
  return WEEK_DAYS.flatMap((day) =>
    week[day].map(({ open, close }) => `${dayName(day)} ${timeText(open)}–${timeText(close)}`),
  ).join(', ');
}

function inWords({ title, hint }: { title: string; hint: string | undefined }): string {
  return hint === undefined ? title : `${title}: ${hint}`;
}
