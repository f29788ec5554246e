import { DukkanError, type Schemas } from '@dukkan/sdk';
import { type ReactNode, useEffect, useRef } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead, useReadAgain } from '../../platform/index.ts';
import { Badge, Button, ErrorState, Skeleton, type Tone } from '../../ui/index.ts';
import { Progress } from '../../ui/progress.tsx';
import { type BadRow, BadRows, useBadInWords } from './bad-rows.tsx';
import type { KeptUpload } from './use-stored-uploads.ts';
import { forecastsWords } from './words.ts';

type Job = Schemas['Job'];
/** The result of an upload job, which the OpenAPI document leaves untyped. */
type Result = {
  saved: number;
  replaced: number;
  failed: number;
  skus: number;
  ignored_columns: string[];
  errors: BadRow[];
  errors_left_off: number;
  forecasts: 'refreshed' | 'pending';
};
const LOOK_AGAIN_MS = 1_000;
const TONES: Record<Job['status'], Tone> = { queued: 'plain', running: 'info', succeeded: 'good', failed: 'bad' };

export function UploadJob({ upload, onForget }: { upload: KeptUpload; onForget(): void }): ReactNode {
  const t = useWords(forecastsWords);
  const { dateTime, number } = useFormat();
  const readAgain = useReadAgain();
  const job = useRead(
    'getJob',
    { path: { id: upload.job } },
    { refetchInterval: ({ state }) => (state.data?.finished == null && state.error === null ? LOOK_AGAIN_MS : false) },
  );
  const isFinished = job.data?.finished != null;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isFinished && wasOpen.current) void readAgain('readSensy', 'readConsumption');
    wasOpen.current = job.data !== undefined && !isFinished;
  });
  // The service deletes old jobs; then their entry is removed here too.
  const isGone = job.error instanceof DukkanError && job.error.status === 404;
  useEffect(() => {
    if (isGone) onForget();
  }, [isGone, onForget]);
  return (
    <li className="forecasts-upload">
      <div className="forecasts-upload-head">
        <span className="strong clip">{upload.file}</span>
        <time className="soft small" dateTime={upload.at}>
          {dateTime(upload.at)}
        </time>
        {job.data === undefined ? (
          <Skeleton width="60px" />
        ) : (
          <Badge tone={TONES[job.data.status]}>{t(`job.${job.data.status}`)}</Badge>
        )}
        <Button look="quiet" size="small" icon="close" aria-label={t('forget')} onPress={onForget} />
      </div>
      {job.isError && !isGone && <ErrorState error={job.error} onRetry={() => void job.refetch()} />}
      {job.data !== undefined && !isFinished && (
        <>
          <Progress
            label={t('jobProgress', { file: upload.file })}
            done={job.data.progress.done}
            total={job.data.progress.total}
          />
          {job.data.progress.total > 0 && (
            <span className="soft small">
              {t('jobRows', { done: number(job.data.progress.done), total: number(job.data.progress.total) })}
            </span>
          )}
        </>
      )}
      {job.data?.status === 'succeeded' && <Done result={job.data.result as Result} />}
      {job.data?.status === 'failed' && <Failed problem={job.data.error} />}
    </li>
  );
}

function Done({ result }: { result: Result }): ReactNode {
  const t = useWords(forecastsWords);
  const { list } = useFormat();
  return (
    <div className="forecasts-result" role="status">
      <p>
        {t('saved', { count: result.saved })} {t('forSkus', { count: result.skus })}
        {result.replaced > 0 && ` · ${t('replaced', { count: result.replaced })}`}
        {result.failed > 0 && (
          <>
            {' · '}
            <span className="forecasts-bad">{t('failed', { count: result.failed })}</span>
          </>
        )}
      </p>
      {result.forecasts === 'pending' && <p className="soft small">{t('pendingForecasts')}</p>}
      {result.ignored_columns.length > 0 && (
        <p className="soft small">{t('ignored', { columns: list(result.ignored_columns) })}</p>
      )}
      {result.errors.length > 0 && <BadRows rows={result.errors} leftOff={result.errors_left_off} />}
    </div>
  );
}

type BadFile = Pick<Result, 'failed' | 'ignored_columns' | 'errors' | 'errors_left_off'>;

function isBadFile(details: unknown): details is BadFile {
  return typeof details === 'object' && details !== null && 'errors' in details && Array.isArray(details.errors);
}

function Failed({ problem }: { problem: Job['error'] }): ReactNode {
  const t = useWords(forecastsWords);
  const { list } = useFormat();
  const inWords = useBadInWords();
  if (isBadFile(problem?.details)) {
    const { ignored_columns, errors, errors_left_off } = problem.details;
    return (
      <div className="forecasts-result" role="status">
        <p className="forecasts-bad">{t('noneUsed')}</p>
        {ignored_columns.length > 0 && <p className="soft small">{t('ignored', { columns: list(ignored_columns) })}</p>}
        <BadRows rows={errors} leftOff={errors_left_off} />
      </div>
    );
  }
  const details = typeof problem?.details === 'object' ? Object.entries(problem.details) : [];
  return (
    <div className="forecasts-bad" role="status">
      <p>{problem?.error}</p>
      <ul>
        {details.map(([name, said]) => (
          <li key={name}>
            <span className="ltr">{name}</span>: {inWords(String(said))}
          </li>
        ))}
      </ul>
    </div>
  );
}
