import { bisector, max, nice, ticks } from 'd3-array';
import { area, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../i18n/index.ts';
import './charts.css';
import { linearScale } from './linear-scale.ts';
import { useWidth } from './use-width.ts';

export type Point = {
  /** A day, `2026-11-15`. */
  date: string;
  value: number;
  /** The 80% interval. */
  lo?: number;
  hi?: number;
  /** A forecast, not a measured value. */
  isForecast?: boolean;
};

type Props = {
  label: string;
  points: readonly Point[];
  /** The previous period, day by day, drawn behind. */
  before?: readonly number[];
  /** The line of the tip about the previous period. */
  formatBefore?(value: number): string;
  height?: number;
  /** Values on the axis and in the tip. */
  formatAxis(value: number): string;
  formatValue(value: number): string;
};

const MARGIN = { top: 8, bottom: 22, axis: 52, end: 8 };
const TICKS = 4;
const nearest = bisector((at: number) => at).center;

/**
 * One value per day as a line over its area; forecast days are dashed, with their interval. Time runs right to left in Arabic,
 * with the axis at the start side. Arrow keys move between days and announce each.
 */
export function TimeChart(props: Props): ReactNode {
  const { label, points, before, formatBefore, height = 220, formatAxis, formatValue } = props;
  const t = useWords(commonWords);
  const { language, shortDate, hijri, weekday } = useFormat();
  const [holder, width] = useWidth<HTMLDivElement>();
  // A day and not its index: days may be added in front of it while it is chosen.
  const [activeTime, setActiveTime] = useState<number | undefined>(undefined);
  const rtl = language === 'ar';

  const times = points.map(({ date }) => Date.parse(date));
  const found = activeTime === undefined ? -1 : times.indexOf(activeTime);
  const active = found === -1 ? undefined : found;
  const inner = { start: MARGIN.axis, end: Math.max(MARGIN.axis + 1, width - MARGIN.end) };
  const mirror = (at: number) => (rtl ? width - at : at);
  // Days are equidistant, so a linear scale is enough.
  const [firstTime, lastTime] = [times[0] ?? 0, times.at(-1) ?? 1];
  const x = linearScale([firstTime, lastTime], [inner.start, inner.end]);
  const highest = max([...points.map(({ value, hi }) => Math.max(value, hi ?? 0)), ...(before ?? [])]) ?? 0;
  const [, top] = nice(0, highest || 1, TICKS);
  // Nothing counted in whole numbers has a fifth of one: without orders the axis would show 0.2, 0.4 and so on.
  const isWhole = [...points.map(({ value }) => value), ...(before ?? [])].every(Number.isInteger);
  const marks = ticks(0, top, TICKS).filter((value) => !isWhole || Number.isInteger(value));
  const y = linearScale([0, top], [height - MARGIN.bottom, MARGIN.top]);

  const at = (index: number) => mirror(x(times[index] ?? 0));
  const path = line<Point>(
    (_, index) => at(index),
    ({ value }) => y(value),
  );
  const under = area<Point>(
    (_, index) => at(index),
    y(0),
    ({ value }) => y(value),
  );
  const firstAhead = points.findIndex(({ isForecast }) => isForecast === true);
  const known = firstAhead === -1 ? points : points.slice(0, firstAhead);
  const ahead = firstAhead === -1 ? [] : points.slice(Math.max(0, firstAhead - 1));
  const shift = points.length - ahead.length;
  const pathAhead = line<Point>(
    (_, index) => at(index + shift),
    ({ value }) => y(value),
  );
  const band = area<Point>(
    (_, index) => at(index + shift),
    ({ value, lo }) => y(lo ?? value),
    ({ value, hi }) => y(hi ?? value),
  );
  const pathBefore = line<number>(
    (_, index) => at(index),
    (value) => y(value),
  );

  const chosen = active === undefined ? undefined : points[active];
  const earlier = active === undefined ? undefined : before?.[active];
  const beforeText = earlier === undefined ? undefined : formatBefore?.(earlier);
  const said =
    chosen === undefined
      ? ''
      : `${weekday(chosen.date)} ${shortDate(chosen.date)}: ${formatValue(chosen.value)}${
          chosen.lo === undefined ? '' : ` (${formatValue(chosen.lo)}–${formatValue(chosen.hi ?? chosen.value)})`
        }${beforeText === undefined ? '' : `. ${beforeText}`}`;

  function point(event: PointerEvent<HTMLDivElement>): void {
    const { left } = event.currentTarget.getBoundingClientRect();
    const toTime = linearScale([inner.start, inner.end], [firstTime, lastTime]);
    setActiveTime(times[nearest(times, toTime(mirror(event.clientX - left)))]);
  }
  function press(event: KeyboardEvent<HTMLDivElement>): void {
    const last = points.length - 1;
    const now = active ?? (rtl ? 0 : last);
    const onwards = rtl ? 'ArrowLeft' : 'ArrowRight';
    const back = rtl ? 'ArrowRight' : 'ArrowLeft';
    const to = { [onwards]: now + 1, [back]: active === undefined ? last : now - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setActiveTime(times[Math.max(0, Math.min(last, to))]);
  }

  const days = daysOnTheAxis(times, Math.max(2, Math.floor(width / 110)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={holder}
      className="chart"
      role="group"
      aria-label={`${label}. ${t('chartHint')}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through it
      tabIndex={0}
      onKeyDown={press}
      onPointerMove={point}
      onPointerLeave={() => setActiveTime(undefined)}
      onBlur={() => setActiveTime(undefined)}
    >
      <svg height={height} aria-hidden="true">
        {width > 0 && (
          <>
            {marks.map((value) => (
              <g key={value}>
                <line
                  className="chart-grid"
                  x1={mirror(inner.start)}
                  x2={mirror(inner.end)}
                  y1={y(value)}
                  y2={y(value)}
                />
                <text className="chart-label" x={mirror(inner.start - 8)} y={y(value) + 4} textAnchor="end">
                  {formatAxis(value)}
                </text>
              </g>
            ))}
            {days.map((moment) => (
              <text
                key={moment}
                className="chart-label"
                x={mirror(x(moment))}
                y={height - 4}
                // The last day is at the edge: centred, half of a long month's name would stand outside.
                textAnchor={moment === lastTime ? 'end' : 'middle'}
              >
                {shortDate(moment)}
              </text>
            ))}
            {before !== undefined && before.length > 1 && (
              <path className="chart-line" data-series="1" d={pathBefore(before.slice(0, points.length)) ?? ''} />
            )}
            {ahead.length > 1 && <path className="chart-band" d={band(ahead) ?? ''} />}
            <path className="chart-area" d={under(known) ?? ''} />
            <path className="chart-line" d={path(known) ?? ''} />
            {ahead.length > 1 && <path className="chart-line chart-forecast" d={pathAhead(ahead) ?? ''} />}
            {active !== undefined && chosen !== undefined && (
              <>
                <line className="chart-cursor" x1={at(active)} x2={at(active)} y1={MARGIN.top} y2={y(0)} />
                <circle className="chart-dot" r={4} cx={at(active)} cy={y(chosen.value)} />
              </>
            )}
          </>
        )}
      </svg>
      {active !== undefined && chosen !== undefined && (
        <div className="chart-tip" style={tipPosition(at(active), width, rtl)}>
          <div className="strong">{formatValue(chosen.value)}</div>
          <div className="soft small">
            {shortDate(chosen.date)} · {hijri(chosen.date)}
          </div>
          {beforeText !== undefined && <div className="soft small">{beforeText}</div>}
        </div>
      )}
      <div className="visually-hidden" aria-live="polite">
        {said}
      </div>
    </div>
  );
}

/** `count` of the days, equidistant, including the last one. */
function daysOnTheAxis(times: readonly number[], count: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / count));
  return times.filter((_, index) => (times.length - 1 - index) % step === 0);
}

/** Beside the line, on the wider side. */
function tipPosition(at: number, width: number, rtl: boolean) {
  const fromStart = rtl ? width - at : at;
  return fromStart > width / 2 ? { insetInlineEnd: width - fromStart + 10 } : { insetInlineStart: fromStart + 10 };
}

/** Measured values, and the forecast with its interval. */
export const FanChart = TimeChart;
