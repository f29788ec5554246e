import { useEffect } from 'react';
import { setBadge, useRead } from '../../platform/index.ts';

const STALE_AFTER_MS = 60_000;

/**
 * Counts the payloads that wait for a person. Read once, then again when the window gets the focus and when the inbox changes one: an idle
 * console sends nothing.
 */
export default function WatchStaging(): null {
  const failed = useRead(
    'listStagedPayloads',
    { query: { status: 'failed', limit: 1 } },
    { staleTime: STALE_AFTER_MS },
  );
  const count = failed.data?.total_count ?? 0;
  useEffect(() => {
    setBadge('/staging', count);
    return () => setBadge('/staging', 0);
  }, [count]);
  return null;
}
