import type { ReactNode } from 'react';
import { Skeleton } from '../../../ui/index.ts';

export type FigureOf = { name: string; value: ReactNode; note?: ReactNode; tone?: 'bad' | 'good' | undefined };

/** A strip of numbers that say how things stand. Without a value it is still being read. */
export function Figures({ label, figures }: { label: string; figures: readonly FigureOf[] }): ReactNode {
  return (
    <section className="operator-figures" aria-label={label}>
      {figures.map(({ name, value, note, tone }) => (
        <div key={name} className="operator-figure" data-tone={tone}>
          <span className="soft small">{name}</span>
          <strong>{value ?? <Skeleton width="70%" height="26px" />}</strong>
          {note !== undefined && <span className="soft small">{note}</span>}
        </div>
      ))}
    </section>
  );
}
