import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Button, Menu } from '../../../ui/index.ts';
import { useDayName } from './day-name.ts';
import { DayTrack } from './day-track.tsx';
import { LEAST, pulled } from './pull.ts';
import { TimeInput } from './time-input.tsx';
import { DAY, type Hours, hoursOf, timeText, WEEK_DAYS, type Week, type WeekDay } from './week.ts';
import { hoursWords } from './words.ts';

const WORK_DAYS = WEEK_DAYS.slice(0, 5);
const WEEKEND = WEEK_DAYS.slice(5);
const MOST_A_DAY = 20;

export function DayRow(props: {
  day: WeekDay;
  week: Week;
  wrong: ReadonlySet<string>;
  now: number | undefined;
  /** Read-only without it. */
  onChange?: (week: Week) => void;
}): ReactNode {
  const t = useWords(hoursWords);
  const name = useDayName();
  const { day, week, wrong, now, onChange } = props;
  const hours = week[day];
  const change = (next: readonly Hours[]) => onChange?.({ ...week, [day]: next });
  return (
    <li className="hours-row" data-today={now !== undefined || undefined}>
      <span className="hours-day">{name(day)}</span>
      <DayTrack
        day={day}
        week={week}
        wrong={wrong}
        now={now}
        {...(onChange === undefined ? {} : { onChange: change })}
      />
      {onChange === undefined ? (
        <Times hours={hours} />
      ) : (
        <div className="hours-edit">
          <div className="hours-times">
            {hours.length === 0 && <span className="soft small">{t('closed')}</span>}
            {hours.map((one, index) => (
              <TimesEditor
                // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place, as the fields are
                key={index}
                day={name(day)}
                hours={one}
                isWrong={wrong.has(`${day} ${index}`)}
                onChange={(next) => change(hours.with(index, next))}
                onRemove={() => change(hours.toSpliced(index, 1))}
              />
            ))}
          </div>
          <Button
            look="quiet"
            size="small"
            icon="plus"
            aria-label={t('add', { day: name(day) })}
            isDisabled={hours.length >= MOST_A_DAY}
            onPress={() => change([...hours, nextHours(hours)])}
          />
          <CopyMenu day={day} week={week} onChange={onChange} />
        </div>
      )}
    </li>
  );
}

function Times({ hours }: { hours: readonly Hours[] }): ReactNode {
  const t = useWords(hoursWords);
  if (hours.length === 0) return <span className="hours-text soft">{t('closed')}</span>;
  return (
    <span className="hours-text">
      {hours.map(({ open, close }) =>
        close - open === DAY ? (
          <span key={open}>{t('wholeDay')}</span>
        ) : (
          // In the order in which the fields are edited: in Arabic the opening time is on the right.
          <span key={open}>
            <bdi>{timeText(open)}</bdi>–<bdi>{timeText(close)}</bdi>
          </span>
        ),
      )}
    </span>
  );
}

function TimesEditor(props: {
  day: string;
  hours: Hours;
  isWrong: boolean;
  onChange(hours: Hours): void;
  onRemove(): void;
}): ReactNode {
  const t = useWords(hoursWords);
  const { day, hours, isWrong, onChange, onRemove } = props;
  const { open, close } = hours;
  const step = (side: 'open' | 'close', by: number) => {
    const next = pulled(hours, side, hours[side] + by, by);
    if (next.close - next.open >= LEAST) onChange(next);
  };
  return (
    <div className="hours-pair" data-wrong={isWrong || undefined}>
      <TimeInput
        label={t('opens', { day })}
        minute={open}
        isWrong={isWrong}
        onChange={(next) => onChange(hoursOf(next % DAY, close > DAY ? close - DAY : close))}
        onStep={(by) => step('open', by)}
      />
      <span aria-hidden="true">–</span>
      <TimeInput
        label={t('closes', { day })}
        minute={close}
        isWrong={isWrong}
        onChange={(next) => onChange(hoursOf(open, next))}
        onStep={(by) => step('close', by)}
      />
      {close > DAY && <span className="soft hours-next-day">{t('nextDay')}</span>}
      <Button
        look="quiet"
        size="small"
        icon="close"
        aria-label={t('remove', { from: timeText(open), to: timeText(close), day })}
        onPress={onRemove}
      />
    </div>
  );
}

function CopyMenu({ day, week, onChange }: { day: WeekDay; week: Week; onChange(week: Week): void }): ReactNode {
  const t = useWords(hoursWords);
  const name = useDayName();
  const copyTo = (days: readonly WeekDay[]) =>
    onChange({ ...week, ...Object.fromEntries(days.map((other) => [other, week[day]])) });
  const label = t('copy', { day: name(day) });
  return (
    <Menu
      label={label}
      button={{ look: 'quiet', size: 'small', icon: 'copy', 'aria-label': label }}
      groups={[
        {
          id: 'several',
          entries: [
            { id: 'all', text: t('copyAll'), onAction: () => copyTo(WEEK_DAYS) },
            { id: 'work', text: t('copyWork'), onAction: () => copyTo(WORK_DAYS) },
            { id: 'weekend', text: t('copyWeekend'), onAction: () => copyTo(WEEKEND) },
          ],
        },
        {
          id: 'one',
          entries: WEEK_DAYS.filter((other) => other !== day).map((other) => ({
            id: other,
            text: t('copyDay', { day: name(other) }),
            onAction: () => copyTo([other]),
          })),
        },
      ]}
    />
  );
}

const MORNING = hoursOf(9 * 60, 17 * 60);
const HOUR = 60;

/** New hours: an hour after the last ones, or the usual day. */
function nextHours(hours: readonly Hours[]): Hours {
  const last = Math.max(0, ...hours.map(({ close }) => close));
  if (hours.length === 0) return MORNING;
  if (last + 2 * HOUR > DAY)
    return { open: 0, close: Math.max(HOUR, Math.min(...hours.map(({ open }) => open)) - HOUR) };
  return { open: last + HOUR, close: Math.min(DAY, last + 5 * HOUR) };
}
