import type { Schemas } from '@dukkan/sdk';

type Status = Schemas['OrderStatus'];
export type Move = 'received' | 'ready_for_pickup' | 'dispatched' | 'delivered' | 'cancelled';

const FORWARD: readonly Move[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered'];

/**
 * What may follow a status, the nearest first: forward, steps may be skipped; cancelled from anywhere before delivered. What
 * may follow an unknown one depends on its past, which the service knows: all are offered, and it judges.
 */
export function movesFrom(status: Status): Move[] {
  switch (status) {
    case 'delivered':
    case 'cancelled':
      return [];
    case 'pending_payment':
    case 'unknown':
      return [...FORWARD, 'cancelled'];
    default:
      return [...FORWARD.slice(FORWARD.indexOf(status) + 1), 'cancelled'];
  }
}

/** The word that is stored for it. */
export function storedWord(move: Move): string {
  return move.toUpperCase();
}
