import type { ReactNode } from 'react';
import './charts.css';

export type Bar = { id: string; title: string; value: number; text: string; note?: string };

/** A bar chart of categories; the largest takes the full width. Labels and numbers are text, so it needs no description. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }): ReactNode {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul className="chart-bars" aria-label={label}>
      {bars.map(({ id, title, value, text, note }) => (
        <li key={id}>
          <div className="chart-bar-head">
            <bdi className="clip">{title}</bdi>
            <span>
              {/* Apart from each other: in Arabic the digits of one would stand between those of the other and its currency. */}
              <bdi className="strong">{text}</bdi>
              {note !== undefined && (
                <>
                  {' '}
                  <bdi className="soft">{note}</bdi>
                </>
              )}
            </span>
          </div>
          <div className="chart-bar-track" aria-hidden="true">
            <div className="chart-bar-fill" style={{ inlineSize: `${(value / largest) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
