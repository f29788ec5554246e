import { max } from 'd3-array';
import { line } from 'd3-shape';
import type { ReactNode } from 'react';
import './charts.css';

const WIDTH = 72;
const HEIGHT = 22;

/** The shape of a series, beside its number. */
export function Sparkline({ values }: { values: readonly number[] }): ReactNode {
  if (values.length < 2) return null;
  const highest = max(values) || 1;
  const path = line<number>(
    (_, index) => (index / (values.length - 1)) * WIDTH,
    (value) => HEIGHT - 2 - (value / highest) * (HEIGHT - 4),
  );
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path className="chart-line" d={path(values) ?? ''} />
    </svg>
  );
}
