import { type ReactNode, useRef, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Button, Card, EmptyState, ErrorState, Icon, Notice, Page, Skeletons } from '../../../ui/index.ts';
import '../catalog.css';
import { useMayCatalog } from '../may-catalog.ts';
import { writeCsv } from './csv.ts';
import { ImportDone } from './import-done.tsx';
import { ImportPreview } from './import-preview.tsx';
import './import.css';
import { COLUMNS } from './product-rows.ts';
import { useImport } from './use-import.ts';
import { importWords } from './words.ts';

const EXAMPLES = [
  ['PAN-EXTRA-24', 'Panadol Extra, 24 tablets', 'بنادول إكسترا 24 قرص', '18.95', '15', '6281086010242'],
  ['WATER-330', 'Sparkling water 330 ml', 'مياه فوارة 330 مل', '2.50', '15', ''],
];
const TEMPLATE_COLUMNS = COLUMNS.filter((name) => name !== 'brand_id' && name !== 'category_id');

export function ImportPage(): ReactNode {
  const t = useWords(importWords);
  const may = useMayCatalog();
  const { state, read, send, stop, again } = useImport();
  return (
    <Page
      title={t('title')}
      note={<BackLink to="/products">{t('back')}</BackLink>}
      tools={
        state.phase === 'none' || state.phase === 'sending' ? undefined : (
          <Button onPress={again}>{t('another')}</Button>
        )
      }
    >
      {!may.import ? (
        <EmptyState icon="lock" title={t('forbidden')} />
      ) : (
        <>
          {state.phase === 'none' && <ChooseFile onFile={(file) => void read(file)} />}
          {state.phase === 'reading' && <Skeletons rows={8} label={t('reading')} />}
          {state.phase === 'unreadable' && <ErrorState error={state.error} onRetry={again} />}
          {state.phase === 'faulty' && (
            <Notice tone="bad">
              {state.fault.kind === 'quotes'
                ? t('error.quotes', { line: state.fault.line })
                : state.fault.kind === 'twice'
                  ? t('error.twice', { name: state.fault.name })
                  : t(`error.${state.fault.kind}`)}
            </Notice>
          )}
          {state.phase === 'read' && <ImportPreview file={state.file} onSend={(mode) => void send(state.file, mode)} />}
          {state.phase === 'sending' && (
            <Card>
              <div className="import-progress">
                <label htmlFor="import-progress">{t('sending', { done: state.done, total: state.total })}</label>
                <progress id="import-progress" value={state.done} max={state.total} />
                <Button onPress={stop}>{t('stop')}</Button>
              </div>
            </Card>
          )}
          {state.phase === 'done' && <ImportDone {...state} />}
        </>
      )}
    </Page>
  );
}

function ChooseFile({ onFile }: { onFile(file: File): void }): ReactNode {
  const t = useWords(importWords);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div className="catalog-columns">
      <Card>
        <section
          className="import-drop"
          aria-label={t('dropLabel')}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            const [file] = event.dataTransfer.files;
            if (file !== undefined) onFile(file);
          }}
        >
          <Icon name="export" />
          <Button look="primary" onPress={() => input.current?.click()}>
            {t('choose')}
          </Button>
          <span className="soft small">{t('drop')}</span>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            className="visually-hidden"
            tabIndex={-1}
            aria-label={t('dropLabel')}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file !== undefined) onFile(file);
            }}
          />
          <p className="soft">{t('hint')}</p>
        </section>
      </Card>
      <Card
        title={t('columns')}
        tools={
          <Button
            size="small"
            onPress={() =>
              saveFile(
                'products.csv',
                writeCsv([
                  TEMPLATE_COLUMNS,
                  ...EXAMPLES.map((row) => [
                    ...row,
                    ...TEMPLATE_COLUMNS.slice(row.length).map((name) => (name === 'is_enabled' ? 'true' : '')),
                  ]),
                ]),
              )
            }
          >
            {t('template')}
          </Button>
        }
      >
        <dl className="import-columns">
          {COLUMNS.map((name) => (
            <div key={name}>
              <dt className="ltr">
                <code>{name}</code>
              </dt>
              <dd className="soft">{t(`column.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}
