import type { Schemas } from '@dukkan/sdk';
import type { Tone } from '../../ui/index.ts';

export type Install = Schemas['App'];
export type CatalogApp = Schemas['CatalogApp'];

/** In the order of the catalog. */
export const FAMILIES: readonly Install['family'][] = [
  'web_store',
  'delivery_app',
  'marketplace',
  'pos',
  'till',
  'payment',
  'erp',
];

const TONES: Record<Install['status'], Tone> = { active: 'good', failing: 'bad', disabled: 'plain' };
export const installTone = (status: Install['status']): Tone => TONES[status];

const STAGED: Record<Schemas['StagedPayload']['status'], Tone> = { pending: 'info', processed: 'good', failed: 'bad' };
export const stagedTone = (status: Schemas['StagedPayload']['status']): Tone => STAGED[status];
