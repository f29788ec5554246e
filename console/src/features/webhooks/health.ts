import type { Schemas } from '@dukkan/sdk';
import type { Tone } from '../../ui/index.ts';

export type Subscription = Schemas['WebhookSubscription'];
export type Health = 'healthy' | 'failing' | 'quiet' | 'paused' | 'disabled';

/** By the last result: a success after the last failure counts as healthy. */
export function healthOf({ status, last_success_at, last_failure_at }: Subscription): Health {
  if (status !== 'active') return status;
  if (last_failure_at !== '' && (last_success_at === '' || last_failure_at > last_success_at)) return 'failing';
  return last_success_at === '' ? 'quiet' : 'healthy';
}

const HEALTH_TONES: Record<Health, Tone> = {
  healthy: 'good',
  failing: 'bad',
  quiet: 'plain',
  paused: 'warn',
  disabled: 'bad',
};
export type DeliveryState = Schemas['DeliveryStatus'] | 'retrying';
const DELIVERY_TONES: Record<DeliveryState, Tone> = {
  delivered: 'good',
  pending: 'info',
  retrying: 'warn',
  dead: 'bad',
  skipped: 'plain',
};

export const healthTone = (health: Health): Tone => HEALTH_TONES[health];
export const deliveryTone = (state: DeliveryState): Tone => DELIVERY_TONES[state];

/** A delivery that failed and will be retried is shown as retrying, not pending. */
export function deliveryState({ status, attempts }: Pick<Schemas['Delivery'], 'status' | 'attempts'>): DeliveryState {
  return status === 'pending' && attempts > 0 ? 'retrying' : status;
}
