import type { ReactNode } from 'react';
import { DAY } from './week.ts';

/** The axis of a day ends at 6:00 the next morning: closing at 2:00 is common here. */
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
