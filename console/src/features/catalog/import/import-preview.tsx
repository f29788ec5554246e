import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Button, Card, type Column, Notice, Segments } from '../../../ui/index.ts';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import type { ImportFile, ImportRow } from './product-rows.ts';
import { useSayWrong } from './say-wrong.ts';
import type { Mode } from './use-import.ts';
import { importWords } from './words.ts';

const MODES = ['upsert', 'create', 'update'] as const;
/** More columns would be unreadable; the import uses all of them. */
const SHOWN_COLUMNS = 7;

export function ImportPreview({ file, onSend }: { file: ImportFile; onSend(mode: Mode): void }): ReactNode {
  const t = useWords(importWords);
  const sayWrong = useSayWrong();
  const [mode, setMode] = useState<Mode>('upsert');
  const bad = file.rows.filter(({ wrong }) => wrong.length > 0);
  const good = file.rows.length - bad.length;
  const [shown, setShown] = useState<'all' | 'bad'>(bad.length > 0 ? 'bad' : 'all');
  const columns: Column<ImportRow>[] = [
    {
      id: 'line',
      title: t('line'),
      width: '56px',
      end: true,
      render: ({ line }) => <span className="soft">{line}</span>,
    },
    ...(bad.length === 0
      ? []
      : [
          {
            id: 'wrong',
            title: t('problem'),
            width: 'minmax(160px, 2fr)',
            render: ({ wrong }: ImportRow) => {
              const said = wrong.map(sayWrong).join(' · ');
              return (
                <span className="import-wrong" title={said}>
                  {said}
                </span>
              );
            },
          },
        ]),
    ...file.header.slice(0, SHOWN_COLUMNS).map((name, at) => ({
      id: `cell ${at}`,
      title: name,
      width: 'minmax(80px, 1fr)',
      ...(at > 1 && { from: at > 3 ? ('wide' as const) : ('medium' as const) }),
      head: <bdi>{name}</bdi>,
      render: ({ cells }: ImportRow) => <bdi>{cells[at]}</bdi>,
    })),
  ];
  return (
    <>
      {bad.length > 0 && (
        <Notice tone="warn">
          <strong>{t('bad', { count: bad.length })}</strong> {t('badHint')}
        </Notice>
      )}
      {file.ignored.length > 0 && <Notice>{t('ignored', { names: file.ignored.join(', ') })}</Notice>}
      <div className="import-bar">
        <span>
          <strong className="ltr">{file.name}</strong>{' '}
          <span className="soft">
            {t('rows', { count: file.rows.length })} · {t('good', { count: good })}
          </span>
        </span>
        <span className="import-acts">
          <Segments
            label={t('mode')}
            value={mode}
            onChange={(value) => setMode(value)}
            options={MODES.map((value) => ({ value, text: t(`mode.${value}`) }))}
          />
          <Button look="primary" isDisabled={good === 0} onPress={() => onSend(mode)}>
            {t('start', { count: good })}
          </Button>
        </span>
      </div>
      <Card
        title={t('preview')}
        flush
        tools={
          bad.length > 0 && (
            <Segments
              label={t('filter')}
              value={shown}
              onChange={(value) => setShown(value)}
              options={[
                { value: 'bad' as const, text: t('onlyBad') },
                { value: 'all' as const, text: t('all') },
              ]}
            />
          )
        }
      >
        <VirtualTable
          label={t('preview')}
          columns={columns}
          rows={shown === 'bad' ? bad : file.rows}
          keyOf={({ line }) => String(line)}
          height="54vh"
        />
      </Card>
    </>
  );
}
