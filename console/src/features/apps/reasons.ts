import type { Schemas } from '@dukkan/sdk';
import { useLanguage } from '../../i18n/index.ts';
import { appsWords } from './words.ts';

type Fault = { code: string; message: string; path: string };

/** The problem, and where to fix it. */
export type Mend = 'sender' | 'setting' | 'vendor' | 'time' | 'payment' | 'none';

const MENDS: Partial<Record<string, Mend>> = {
  not_json: 'sender',
  missing: 'sender',
  unexpected: 'sender',
  too_large: 'sender',
  too_deep: 'sender',
  not_decrypted: 'setting',
  credentials_missing: 'setting',
  read_back_required: 'setting',
  vendor_refused: 'vendor',
  vendor_unavailable: 'time',
  order_unknown: 'time',
  contended: 'time',
  internal: 'time',
  amount_mismatch: 'payment',
  amounts_differ: 'none',
  lines_missing: 'none',
};

/** The text of an error, by its code. */
export function useReason(): (fault: Fault) => { title: string; hint: string | undefined; mend: Mend } {
  const words: Partial<Record<string, unknown>> = appsWords[useLanguage()];
  return ({ code }) => {
    const title = words[`error.${code}`];
    const hint = words[`error.${code}.hint`];
    return {
      title: typeof title === 'string' ? title : (words['error.other'] as string),
      hint: typeof hint === 'string' ? hint : undefined,
      mend: MENDS[code] ?? 'sender',
    };
  };
}

/** The setting that a message names: `The setting client_secret is needed to call the vendor`. */
export function settingIn({ code, message }: Fault): string | undefined {
  if (code === 'not_decrypted') return 'webhook_secret';
  return /\bsetting (\w+)/.exec(message)?.[1];
}

/** A payment payload without an order is recorded, not created. */
export function outcomeWord({ outcome, order_id }: Schemas['StagedPayload']) {
  if (outcome === '') return undefined;
  const isRecord = order_id === null && (outcome === 'created' || outcome === 'updated');
  return isRecord ? ('outcome.recorded' as const) : (`outcome.${outcome}` as const);
}
