import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Notice } from '../../ui/index.ts';
import { forecastsWords } from './words.ts';

const LOOK_AGAIN_MS = 4_000;

/** What is stale is being made anew: it is looked at until it no longer is. */
export const whileStale = {
  refetchInterval: (query: { state: { data?: { stale: boolean } | undefined } }) =>
    query.state.data?.stale === true ? LOOK_AGAIN_MS : false,
} as const;

export function Stale({ isStale }: { isStale: boolean }): ReactNode {
  const t = useWords(forecastsWords);
  if (!isStale) return null;
  return (
    <Notice>
      <strong>{t('stale')}</strong> <span className="soft">{t('staleHint')}</span>
    </Notice>
  );
}
