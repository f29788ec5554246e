import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Notice } from '../../ui/index.ts';
import { forecastsWords } from './words.ts';

const LOOK_AGAIN_MS = 4_000;

/** Stale forecasts are being recalculated: polls until they are current. */
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
