import type { Schemas } from '@dukkan/sdk';
import type { Tone } from '../../ui/index.ts';

export type Subscription = Schemas['WebhookSubscription'];
export type Health = 'healthy' | 'failing' | 'quiet' | 'paused' | 'disabled';

/** By what was heard last: a success after the last failure is health. */
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
const DELIVERY_TONES: Record<Schemas['DeliveryStatus'], Tone> = {
  delivered: 'good',
  pending: 'info',
  dead: 'bad',
  skipped: 'plain',
};

export const healthTone = (health: Health): Tone => HEALTH_TONES[health];
export const deliveryTone = (status: Schemas['DeliveryStatus']): Tone => DELIVERY_TONES[status];
