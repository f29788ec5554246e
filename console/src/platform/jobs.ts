import type { Answer } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRead } from './api.ts';
import { onStoredElsewhere, readStored, writeStored } from './local-storage.ts';
import { currentSession, useSession, whenSessionChanges } from './session.ts';
import { createStore, useStore } from './store.ts';

/** `gone`: the service no longer has it, or does not show it to this account. */
export type JobEnd = 'succeeded' | 'failed' | 'gone';
export type RememberedJob = {
  id: string;
  /** In the language of the user who started it. */
  title: string;
  organizationId: string;
  /** The page that shows its outcome. */
  to?: string;
  startedAt: number;
  end?: JobEnd;
};

const AT_MOST = 20;
const KEPT_MS = 7 * 86_400_000;
const FIRST_ASKS_MS = 1_000;
const LATER_ASKS_MS = 4_000;
const LONG_MS = 30_000;
const NONE: readonly RememberedJob[] = [];

/** Stored by account in this browser: the service does not list jobs, it only returns one by id. */
const nameOf = (userId: string) => `jobs.${userId}`;
const remembered = createStore<readonly RememberedJob[]>(NONE);
const watched = new Map<string, number>();

let whose: string | undefined;
function readAgain(): void {
  const now = currentSession();
  whose = now.phase === 'in' ? now.account.user.id : undefined;
  remembered.set(whose === undefined ? NONE : parse(readStored(nameOf(whose))));
}
whenSessionChanges(() => {
  const now = currentSession();
  if ((now.phase === 'in' ? now.account.user.id : undefined) !== whose) readAgain();
});
onStoredElsewhere((name) => {
  if (whose !== undefined && name === nameOf(whose)) readAgain();
});

/** After a 202: the top bar then shows its progress on every page and after a reload. */
export function rememberJob(id: string, title: string, { to }: { to?: string } = {}): void {
  const now = currentSession();
  if (now.phase !== 'in' || now.organization === undefined) return;
  const job = { id, title, organizationId: now.organization.id, startedAt: Date.now(), ...(to && { to }) };
  write([job, ...remembered.get().filter((other) => other.id !== id)]);
}

export function forgetJobs(ids: readonly string[]): void {
  write(remembered.get().filter(({ id }) => !ids.includes(id)));
}

export function endJob(id: string, end: JobEnd): void {
  write(remembered.get().map((job) => (job.id === id ? { ...job, end } : job)));
}

/** Those of the organization that is open, newest first. */
export function useRememberedJobs(): readonly RememberedJob[] {
  const all = useStore(remembered);
  const session = useSession();
  const organizationId = session.phase === 'in' ? session.organization?.id : undefined;
  return all.filter((job) => job.organizationId === organizationId);
}

/** The progress of a job; polls until it ends. The page that uses it also shows how it ended. */
export function useJob(id: string | undefined): UseQueryResult<Answer<'getJob'>> {
  useEffect(() => {
    if (id === undefined) return;
    watched.set(id, (watched.get(id) ?? 0) + 1);
    return () => {
      const left = (watched.get(id) ?? 1) - 1;
      if (left === 0) watched.delete(id);
      else watched.set(id, left);
    };
  }, [id]);
  return useJobQuietly(id);
}

/** The same for the frame, which shows the outcome only where no page does. */
export function useJobQuietly(id: string | undefined): UseQueryResult<Answer<'getJob'>> {
  return useRead(
    'getJob',
    { path: { id: id ?? '' } },
    {
      enabled: id !== undefined,
      staleTime: 0,
      refetchInterval: ({ state: { data, error } }) => {
        if (error !== null || (data !== undefined && data.finished !== null)) return false;
        return data !== undefined && Date.now() - Date.parse(data.created) > LONG_MS ? LATER_ASKS_MS : FIRST_ASKS_MS;
      },
    },
  );
}

export const isJobWatched = (id: string) => watched.has(id);

function write(jobs: readonly RememberedJob[]): void {
  if (whose === undefined) return;
  const kept = jobs.slice(0, AT_MOST);
  remembered.set(kept);
  writeStored(nameOf(whose), kept.length === 0 ? null : JSON.stringify(kept));
}

function parse(text: string | null): readonly RememberedJob[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(read) ? read.filter(isJob) : NONE;
  } catch {
    return NONE;
  }
}

function isJob(value: Partial<RememberedJob> | null): value is RememberedJob {
  return typeof value?.id === 'string' && Number(value.startedAt) > Date.now() - KEPT_MS;
}
