import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError } from '../../platform/index.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button, Card, Notice } from '../../ui/index.ts';
import { useBadInWords } from './bad-rows.tsx';
import { UploadJob } from './upload-job.tsx';
import { useKeptUploads } from './use-stored-uploads.ts';
import { forecastsWords } from './words.ts';

const MOST_BYTES = 32 * 1024 * 1024;
const PATIENCE_MS = 300_000;

/** Uploads of past sales. The service processes them in the background; this browser remembers them. */
export function Uploads(): ReactNode {
  const t = useWords(forecastsWords);
  const api = useApi();
  const { uploads, add, remove } = useKeptUploads();
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.append('file', file);
      return api.call('uploadDemand', { body, timeoutMs: PATIENCE_MS });
    },
    onSuccess: ({ data }, file) => add({ job: data.job_id, file: file.name, at: new Date().toISOString() }),
  });
  const template = useMutation({
    mutationFn: () => api.call('readDemandTemplate'),
    onSuccess: (csv) => saveFile('past-sales-template.csv', csv),
  });
  const tooBig = send.variables !== undefined && send.variables.size > MOST_BYTES;
  const take = (file: File | undefined) => file !== undefined && send.mutate(file);
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  }
  return (
    <div className="forecasts-tab">
      <Card title={t('uploadTitle')}>
        <p className="soft">{t('uploadText')}</p>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button in it does the same */}
        <div
          className="forecasts-drop"
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <input
            ref={picker}
            type="file"
            accept=".csv,text/csv"
            className="visually-hidden"
            aria-label={t('choose')}
            tabIndex={-1}
            onChange={(event) => {
              take(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
          <Button look="primary" isPending={send.isPending} onPress={() => picker.current?.click()}>
            {t('choose')}
          </Button>
          <span className="soft small">{t('drop')}</span>
          <Button look="quiet" isPending={template.isPending} onPress={() => template.mutate()}>
            {t('template')}
          </Button>
        </div>
        {send.isPending && <p role="status">{t('sending', { file: send.variables.name })}</p>}
        {send.isError && <NotTaken error={send.error} file={send.variables.name} isTooBig={tooBig} />}
      </Card>
      {uploads.length > 0 && (
        <Card title={t('uploads')} tools={<span className="soft small">{t('uploadsNote')}</span>} flush>
          <ul className="forecasts-uploads">
            {uploads.map((upload) => (
              <UploadJob key={upload.job} upload={upload} onForget={() => remove(upload.job)} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

/** Errors of the whole file, by column where the service names one. */
function NotTaken({ error, file, isTooBig }: { error: unknown; file: string; isTooBig: boolean }): ReactNode {
  const t = useWords(forecastsWords);
  const explain = useExplainError();
  const inWords = useBadInWords();
  const fields = Object.entries(fieldErrors(error));
  const { title, hint } = explain(error);
  return (
    <Notice tone="bad">
      <strong>{t('notTaken', { file })}</strong>
      {isTooBig ? (
        <p>{t('tooBig')}</p>
      ) : fields.length > 0 ? (
        <ul>
          {fields.map(([column, message]) => (
            <li key={column}>
              <span className="ltr">{column}</span>: {inWords(message)}
            </li>
          ))}
        </ul>
      ) : (
        <p>{[title, hint].filter(Boolean).join(' · ')}</p>
      )}
    </Notice>
  );
}
