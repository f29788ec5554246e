import type { Tx } from '../../../platform/database/index.ts';

/**
 * Every statement here goes from a few keys to their rows. A plan is made once for each connection and kept; one that was
 * made while the tables were nearly empty would read them from end to end for as long as nobody analyses them. So in
 * these transactions it is always the index.
 */
export async function byIndexOnly(tx: Tx): Promise<void> {
  await tx`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`;
}
