import type { Schemas } from '@dukkan/sdk';
import type { Tone } from '../../ui/index.ts';

export type Paylink = Schemas['Paylink'];
export type Transaction = Schemas['Transaction'];
export type Provider = Schemas['Provider'];

const PAYLINKS: Record<Paylink['status'], Tone> = {
  created: 'info',
  authorized: 'warn',
  captured: 'good',
  cancelled: 'plain',
  expired: 'plain',
  failed: 'bad',
  refunded: 'warn',
};

export const paylinkTone = (status: Paylink['status']): Tone => PAYLINKS[status];
