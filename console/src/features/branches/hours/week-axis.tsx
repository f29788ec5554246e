import type { ReactNode } from 'react';
import { DAY } from './week.ts';

/** A day is drawn until six in the morning after: shops that close at two are no exception here. */
export const AXIS = DAY + 6 * 60;
const TICKS = [0, 6, 12, 18, 24, 30];

export const part = (minute: number) => `${(Math.min(AXIS, minute) / AXIS) * 100}%`;

export function WeekAxis(): ReactNode {
  return (
    <div className="hours-row hours-axis" aria-hidden="true">
      <span />
      <span className="hours-ticks">
        {TICKS.map((hour) => (
          <span key={hour} style={{ insetInlineStart: part(hour * 60) }}>
            {String(hour % 24).padStart(2, '0')}
          </span>
        ))}
      </span>
      <span />
    </div>
  );
}
