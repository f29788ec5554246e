import type { Schemas } from '@dukkan/sdk';
import type { Tone } from './parts.tsx';

const ORDER: Record<Schemas['OrderStatus'], Tone> = {
  received: 'info',
  ready_for_pickup: 'accent',
  dispatched: 'warn',
  delivered: 'good',
  cancelled: 'bad',
  pending_payment: 'plain',
  unknown: 'plain',
};
const PAYMENT: Record<Schemas['PaymentStatus'], Tone> = {
  pending: 'plain',
  paid: 'good',
  refunded: 'warn',
  failed: 'bad',
  cancelled: 'bad',
  unknown: 'plain',
};

export const orderTone = (status: Schemas['OrderStatus']): Tone => ORDER[status];
export const paymentTone = (status: Schemas['PaymentStatus']): Tone => PAYMENT[status];
