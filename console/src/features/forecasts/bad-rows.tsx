import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { forecastsWords } from './words.ts';

export type BadRow = { line: number; column: string | null; message: string };

/** Rejected lines of the file by line and column, with reasons. */
export function BadRows({ rows, leftOff }: { rows: readonly BadRow[]; leftOff: number }): ReactNode {
  const t = useWords(forecastsWords);
  const inWords = useBadInWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard access
    <section className="forecasts-bad-rows" aria-label={t('badRows')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('line')}</th>
            <th scope="col">{t('columnName')}</th>
            <th scope="col">{t('problem')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, column, message }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{column === null ? t('wholeRow') : <span className="ltr">{column}</span>}</td>
              <td>{inWords(message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOff > 0 && <p className="soft small">{t('leftOff', { count: leftOff })}</p>}
    </section>
  );
}

/** Translates the service's English messages; unknown ones are shown as they are. */
export function useBadInWords(): (message: string) => string {
  const t = useWords(forecastsWords);
  return (message) => {
    const found = (pattern: RegExp) => pattern.exec(message)?.slice(1).map(String);
    if (message === 'is required') return t('bad.required');
    if (message === 'SKU not found') return t('bad.sku');
    if (message === 'must not be negative') return t('bad.negative');
    if (message === 'is empty') return t('bad.emptyFile');
    if (message === 'has no rows') return t('bad.noRows');
    if (message === 'this column comes twice') return t('bad.twice');
    if (message.startsWith('this column is missing')) return t('bad.missing');
    const after = found(/^is after today, (.+)$/);
    if (after) return t('bad.after', { day: after[0] ?? '' });
    const before = found(/^is before (.+)$/);
    if (before) return t('bad.before', { day: before[0] ?? '' });
    const unreadable = found(/^cannot be read: (.*) \(it takes .+\)$/s);
    if (unreadable) return t('bad.unreadable', { cell: unreadable[0] ?? '' });
    const cells = found(/^(\d+) cells, where the header names (\d+)$/);
    if (cells) return t('bad.cells', { cells: cells[0] ?? '', columns: cells[1] ?? '' });
    return message;
  };
}
