import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay, useOrganization, useReadAgain } from '../../../platform/index.ts';
import { Button, Card, Notice, showToast } from '../../../ui/index.ts';
import { DayRow } from './day-row.tsx';
import './hours.css';
import { minuteOfWeek, minutesAWeek, overlapping, periodsOf, WEEK_DAYS, type Week, weekOf } from './week.ts';
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
  const [draft, setDraft] = useState<Week>();
  const week = draft ?? saved;
  const wrong = useMemo(() => overlapping(week), [week]);
  const now = minuteOfWeek(new Date(), zone);
  const saving = useMutation({
    mutationFn: (wanted: Week) =>
      api.call('setWorkingHours', { path: { ivId: branch.iv_id }, body: { working_hours: periodsOf(wanted) } }),
    onSuccess: async () => {
      await readAgain('getBranch', 'listBranches');
      showToast({ tone: 'good', text: t('saved') });
      setDraft(undefined);
    },
  });
  const hours = minutesAWeek(week) / 60;
  return (
    <Card
      title={t('title')}
      tools={
        draft === undefined ? (
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
            <Button size="small" onPress={() => setDraft(undefined)}>
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
      <div className="hours" data-editing={draft !== undefined || undefined}>
        {saving.error !== null && <Notice tone="bad">{inWords(explain(saving.error))}</Notice>}
        {wrong.size > 0 && <Notice tone="warn">{t('mend')}</Notice>}
        {draft !== undefined && <p className="soft small">{t('help')}</p>}
        <WeekAxis />
        <ul>
          {WEEK_DAYS.map((day, index) => (
            <DayRow
              key={day}
              day={day}
              week={week}
              wrong={wrong}
              now={Math.floor(now / 1440) === index ? now % 1440 : undefined}
              {...(draft === undefined ? {} : { onChange: setDraft })}
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

function inWords({ title, hint }: { title: string; hint: string | undefined }): string {
  return hint === undefined ? title : `${title}: ${hint}`;
}
