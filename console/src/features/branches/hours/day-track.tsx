import { type PointerEvent, type ReactNode, useRef } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useDayName } from './day-name.ts';
import { LEAST, pulled, type Side, snapped } from './pull.ts';
import { DAY, dayBefore, fromTheDayBefore, type Hours, timeText, type Week, type WeekDay } from './week.ts';
import { AXIS, part } from './week-axis.tsx';
import { hoursWords } from './words.ts';

type Drag = { index: number; side: Side; from: number; hours: Hours };

/** A day as a track. Editable: drag on it to add hours, drag their ends or the whole to change them. */
export function DayTrack(props: {
  day: WeekDay;
  week: Week;
  wrong: ReadonlySet<string>;
  now: number | undefined;
  onChange?: (hours: readonly Hours[]) => void;
}): ReactNode {
  const t = useWords(hoursWords);
  const name = useDayName();
  const { day, week, wrong, now, onChange } = props;
  const hours = week[day];
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const before = fromTheDayBefore(week, day);

  function minuteAt(event: PointerEvent): number {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const along = isRtl ? box.right - event.clientX : event.clientX - box.left;
    return snapped(Math.max(0, Math.min(1, along / box.width)) * AXIS);
  }
  function start(event: PointerEvent, index: number, side: Side, of: Hours): void {
    if (onChange === undefined || event.button !== 0) return;
    event.stopPropagation();
    track.current?.setPointerCapture(event.pointerId);
    drag.current = { index, side, from: minuteAt(event), hours: of };
  }
  function draw(event: PointerEvent): void {
    const from = Math.min(minuteAt(event), DAY - LEAST);
    start(event, hours.length, 'close', { open: from, close: from });
  }
  function move(event: PointerEvent): void {
    const current = drag.current;
    if (current === undefined || onChange === undefined) return;
    const { index, side, from, hours: was } = current;
    const at = minuteAt(event);
    const next = pulled(was, side, at, at - from);
    // A click alone draws nothing.
    if (next.close - next.open < LEAST) return;
    onChange(hours.toSpliced(index, 1, next));
  }
  const editing =
    onChange === undefined
      ? {}
      : {
          onPointerDown: draw,
          onPointerMove: move,
          onPointerUp: () => {
            drag.current = undefined;
          },
          onPointerCancel: () => {
            drag.current = undefined;
          },
        };
  return (
    <div ref={track} className="hours-track" {...editing}>
      <span className="hours-night" style={{ insetInlineStart: part(DAY) }} />
      {before > 0 && (
        <span
          className="hours-before"
          style={{ inlineSize: part(before) }}
          title={t('stillOpen', { day: name(dayBefore(day)), time: timeText(before) })}
        />
      )}
      {hours.map((one, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: dragged hours keep their index
          key={index}
          className="hours-piece"
          style={{ insetInlineStart: part(one.open), inlineSize: part(Math.min(AXIS, one.close) - one.open) }}
          data-wrong={wrong.has(`${day} ${index}`) || undefined}
          data-goes-on={one.close > AXIS || undefined}
          title={`${timeText(one.open)}–${timeText(one.close)}`}
          onPointerDown={(event) => start(event, index, 'both', one)}
        >
          {onChange !== undefined &&
            (['open', 'close'] as const).map((side) => (
              // For pointers only: keyboard users have the fields beside it.
              <span
                key={side}
                className="hours-handle"
                data-side={side}
                aria-hidden="true"
                onPointerDown={(event) => start(event, index, side, one)}
              />
            ))}
        </div>
      ))}
      {now !== undefined && <span className="hours-now" style={{ insetInlineStart: part(now) }} />}
    </div>
  );
}
