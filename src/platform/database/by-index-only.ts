import type { Tx } from './connect.ts';

/**
 * For transactions whose statements all go from a few keys to their rows. Each connection caches its plans. A plan that was made
 * while the tables were nearly empty uses sequential scans until the next ANALYZE, so sequential scans are disabled here.
 */
export async function byIndexOnly(tx: Tx): Promise<void> {
  await tx`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`;
}
