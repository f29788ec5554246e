import type { ReactNode } from 'react';
import { useFormat } from '../i18n/index.ts';
import './progress.css';

/** How far something is. Without a total it only says that it goes on. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }): ReactNode {
  const { number } = useFormat();
  const isKnown = total > 0;
  const share = isKnown ? Math.min(1, done / total) : 0;
import './progress.css';

/** How far something has come; without a total, that it is under way. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }): ReactNode {
  const known = total > 0;
  const share = known ? Math.min(1, done / total) : 0;
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
      aria-valuemin={0}
      aria-valuemax={known ? total : undefined}
      aria-valuenow={known ? done : undefined}
      data-unknown={!known || undefined}
    >
      <div className="ui-progress-fill" style={{ inlineSize: known ? `${share * 100}%` : '40%' }} />
    </div>
  );
}
