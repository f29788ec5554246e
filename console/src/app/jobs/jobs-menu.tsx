import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import {
  endJob,
  forgetJobs,
  isJobWatched,
  type RememberedJob,
  useJobQuietly,
  useRememberedJobs,
} from '../../platform/index.ts';
import { Badge, Button, showToast, type Tone } from '../../ui/index.ts';
import { PopoverButton } from '../../ui/popover.tsx';
import { Progress } from '../../ui/progress.tsx';
import './jobs-menu.css';
import { jobsWords } from './words.ts';

const TONES: Record<string, Tone> = {
  succeeded: 'good',
  failed: 'bad',
  running: 'accent',
  queued: 'plain',
  gone: 'plain',
};

/** Background jobs of this account. Loaded when there is one. */
export default function JobsMenu(): ReactNode {
  const t = useWords(jobsWords);
  const { number } = useFormat();
  const jobs = useRememberedJobs();
  const running = jobs.filter(({ end }) => end === undefined);
  const ended = jobs.filter(({ end }) => end !== undefined);
  if (jobs.length === 0) return null;
  const count = running.length;
  return (
    <>
      {running.map((job) => (
        <Follow key={job.id} job={job} />
      ))}
      <PopoverButton
        label={`${t('title')}: ${count === 0 ? t('none') : t('running', { count })}`}
        icon="clock"
        {...(count > 0 && { note: <span className="jobs-count">{number(count)}</span> })}
      >
        {(close) => (
          <div className="jobs">
            <header>
              <strong>{t('title')}</strong>
              {ended.length > 0 && (
                <Button look="quiet" size="small" onPress={() => forgetJobs(ended.map(({ id }) => id))}>
                  {t('forget')}
                </Button>
              )}
            </header>
            <ul>
              {jobs.map((job) => (
                <OneJob key={job.id} job={job} onGo={close} />
              ))}
            </ul>
            {count > 0 && <p className="soft small">{t('hint')}</p>}
          </div>
        )}
      </PopoverButton>
    </>
  );
}

/** Polls while it runs, and shows how it ended where no page does. */
function Follow({ job }: { job: RememberedJob }): ReactNode {
  const t = useWords(jobsWords);
  const { navigate } = useRouter();
  const { data, error } = useJobQuietly(job.id);
  const { id, title, to } = job;
  useEffect(() => {
    const isRefused = error !== null && 'status' in error && Number(error.status) >= 400 && error.status !== 429;
    if (isRefused) endJob(id, 'gone');
    if (data === undefined || data.finished === null) return;
    const isGood = data.status === 'succeeded';
    endJob(id, isGood ? 'succeeded' : 'failed');
    if (isJobWatched(id)) return;
    showToast({
      tone: isGood ? 'good' : 'bad',
      text: t(isGood ? 'done' : 'failed', { title }),
      ...(data.error !== null && { detail: data.error.error }),
      ...(to !== undefined && { action: { text: t('look'), run: () => void navigate({ to: to as '/' }) } }),
    });
  }, [data, error, id, title, to, t, navigate]);
  return null;
}

function OneJob({ job, onGo }: { job: RememberedJob; onGo(): void }): ReactNode {
  const t = useWords(jobsWords);
  const { when, dateTime } = useFormat();
  const { navigate } = useRouter();
  const { data } = useJobQuietly(job.end === 'gone' ? undefined : job.id);
  const status = job.end ?? data?.status ?? 'queued';
  const { to } = job;
  return (
    <li>
      <div className="jobs-row">
        <span className="clip">{job.title}</span>
        <Badge tone={TONES[status] ?? 'plain'}>{t(`status.${status}`)}</Badge>
      </div>
      {job.end === undefined && data !== undefined && <Progress label={job.title} {...data.progress} />}
      <div className="jobs-row soft small">
        <time dateTime={new Date(job.startedAt).toISOString()} title={dateTime(job.startedAt)}>
          {when(job.startedAt)}
        </time>
        {data !== undefined && data.progress.total > 1 && <span>{t('of', data.progress)}</span>}
        {to !== undefined && (
          <Button
            look="quiet"
            size="small"
            onPress={() => {
              onGo();
              void navigate({ to: to as '/' });
            }}
          >
            {t('look')}
          </Button>
        )}
      </div>
      {data?.error != null && <div className="jobs-error small">{data.error.error}</div>}
    </li>
  );
}
