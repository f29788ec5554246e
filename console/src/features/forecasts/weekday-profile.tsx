import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { forecastsWords } from './words.ts';

/** A Sunday, at noon so that no time zone makes another day of it. */
const SUNDAY = Date.UTC(2026, 10, 15, 9);
const DAY_MS = 86_400_000;

/** Sales by day of the week; the line is an average day. */
export function WeekdayProfile({ profile }: { profile: readonly number[] }): ReactNode {
  const t = useWords(forecastsWords);
  const { weekday, percent } = useFormat();
  const highest = Math.max(1, ...profile);
  return (
    <ul className="forecast-week" aria-label={t('weekdays')}>
      {profile.map((share, day) => {
        const name = weekday(SUNDAY + day * DAY_MS);
        return (
          <li key={name}>
            <span className="small">{percent(Math.round(share * 100) / 100)}</span>
            <span className="forecast-week-track" aria-hidden="true">
              <span
                className="forecast-week-bar"
                data-high={share === highest || undefined}
                style={{ blockSize: `${(share / highest) * 100}%` }}
              />
            </span>
            <span className="soft small clip">{name}</span>
          </li>
        );
      })}
    </ul>
  );
}
