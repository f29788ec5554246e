import type { ReactNode } from 'react';
import { useFormat } from '../i18n/index.ts';
import './progress.css';

/** A progress bar; indeterminate without a total. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }): ReactNode {
  const { number } = useFormat();
  const isKnown = total > 0;
  const share = isKnown ? Math.min(1, done / total) : 0;
  return (
    <div
      className="ui-progress"
      role="progressbar"
      aria-label={label}
      data-unknown={!isKnown || undefined}
      {...(isKnown && {
        'aria-valuemin': 0,
        'aria-valuemax': total,
        'aria-valuenow': Math.min(done, total),
        'aria-valuetext': `${number(done)} / ${number(total)}`,
      })}
    >
      <span style={isKnown ? { inlineSize: `${share * 100}%` } : undefined} />
    </div>
  );
}
