import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useExplainError } from '../../../platform/index.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { Button, Card, Notice } from '../../../ui/index.ts';
import { useSayRefusal } from '../say-refusal.ts';
import { writeCsv } from './csv.ts';
import type { ImportFile } from './product-rows.ts';
import { useSayWrong } from './say-wrong.ts';
import type { Rejected } from './use-import.ts';
import { importWords } from './words.ts';

const SHOWN = 10;

/** The result of the import: saved and rejected rows, and the file of rejected rows. */
export function ImportDone(props: {
  file: ImportFile;
  saved: number;
  rejected: readonly Rejected[];
  error?: unknown;
  isStopped: boolean;
}): ReactNode {
  const t = useWords(importWords);
  const sayWrong = useSayWrong();
  const sayRefusal = useSayRefusal();
  const explain = useExplainError();
  const { file, saved } = props;
  const rejected = [
    ...file.rows
      .filter(({ wrong }) => wrong.length > 0)
      .map((row) => ({ row, reason: row.wrong.map(sayWrong).join('; ') })),
    ...props.rejected.map(({ row, reason }) => ({ row, reason: sayRefusal(reason) })),
  ].sort((a, b) => a.row.line - b.row.line);
  const save = () =>
    saveFile(
      `${file.name.replace(/\.csv$/i, '')}-rejected.csv`,
      writeCsv([
        [...file.header, t('errorColumn')],
        ...rejected.map(({ row, reason }) => [...file.header.map((_, at) => row.cells[at] ?? ''), reason]),
      ]),
    );
  return (
    <>
      {props.error !== undefined && (
        <Notice tone="bad">{t('interrupted', { reason: explain(props.error).title })}</Notice>
      )}
      {props.isStopped && <Notice tone="warn">{t('stopped')}</Notice>}
      <Notice tone={saved > 0 ? 'good' : 'warn'}>
        <strong>{saved > 0 ? t('done', { count: saved }) : t('doneNone')}</strong>{' '}
        <Link to="/products" search={{ sort: '-updated' }}>
          {t('seeProducts')}
        </Link>
      </Notice>
      {rejected.length > 0 && (
        <Card
          title={t('rejected', { count: rejected.length })}
          tools={
            <Button icon="export" onPress={save}>
              {t('downloadRejected')}
            </Button>
          }
        >
          <p className="soft">{t('rejectedHint')}</p>
          <ul className="import-rejected">
            {rejected.slice(0, SHOWN).map(({ row, reason }) => (
              <li key={row.line}>
                <span className="soft">
                  {t('line')} {row.line}
                </span>
                <span className="ltr">{row.product.iv_id}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
