import type { Schemas } from '@dukkan/sdk';

type Status = Schemas['OrderStatus'];
export type Move = 'received' | 'ready_for_pickup' | 'dispatched' | 'delivered' | 'cancelled';

const FORWARD: readonly Move[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered'];

/**
 * The statuses that may follow one, the nearest first: steps may be skipped; cancelled is possible before delivered. For an unknown
 * status it depends on the history, which the service knows: all are offered, and the service decides.
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

/** The stored status. */
export function storedWord(move: Move): string {
  return move.toUpperCase();
}
