import type { Tx } from './connect.ts';

/**
 * For transactions whose statements all go from a few keys to their rows. A plan is made once for each connection and kept;
 * one that was made while its tables were nearly empty reads them from end to end, for every key, for as long as nobody
 * analyses them. So here it is always the index.
 */
export async function byIndexOnly(tx: Tx): Promise<void> {
  await tx`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`;
}
