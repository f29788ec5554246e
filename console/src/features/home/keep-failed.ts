import type { Answer } from '@dukkan/sdk';

export type Dashboard = Answer<'readAnalyticsDashboard'>;

export type Stored = Dashboard & {
  /** When sections that failed since were last read. */
  readAt?: Partial<Record<string, string>>;
};

/** An answer in which a section failed keeps the section of the answer before it: figures do not vanish for a moment's failure. */
export function keepFailed(before: Stored | undefined, now: Dashboard): Stored {
  const data: Record<string, unknown> = { ...now.data };
  const earlier: Record<string, unknown> = { ...before?.data };
  const readAt: Record<string, string> = {};
  for (const name of Object.keys(now.errors ?? {})) {
    const at = before?.readAt?.[name] ?? (before?.errors?.[name] === undefined ? before?.fetched_at : undefined);
    if (at === undefined) continue;
    readAt[name] = at;
    data[name] = earlier[name];
  }
  return { ...now, data: data as Dashboard['data'], readAt };
}
