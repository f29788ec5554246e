import { findChannel } from '../../channels/list.ts';
import type { Stage } from './sql/queue.ts';

/** Payloads of payment providers are hints: nothing can be done with them before the vendor was called. */
export function firstStageOf(appSlug: string): Stage {
  return findChannel(appSlug) === undefined ? 'call' : 'read';
}
