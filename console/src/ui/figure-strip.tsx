import type { ReactNode } from 'react';
import './figure-strip.css';
import { Skeleton } from './parts.tsx';

export type Figure = {
  name: string;
  /** Undefined while it loads. */
  value: ReactNode | undefined;
  note?: ReactNode;
  tone?: 'bad' | 'warn' | 'good' | undefined;
};

/** A few numbers side by side at the head of a page. */
export function FigureStrip({ label, figures }: { label: string; figures: readonly Figure[] }): ReactNode {
  return (
    <section className="ui-figures" aria-label={label}>
      {figures.map(({ name, value, note, tone }) => (
        <div key={name} className="ui-figure" data-tone={tone}>
          <span className="soft small">{name}</span>
          <strong>{value ?? <Skeleton width="48px" height="22px" />}</strong>
          {note !== undefined && <span className="soft small">{note}</span>}
        </div>
      ))}
    </section>
  );
}
