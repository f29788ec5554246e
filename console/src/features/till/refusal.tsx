import { DukkanError } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { useExplainError } from '../../platform/index.ts';
import { Button, Notice } from '../../ui/index.ts';
import type { CartLine } from './cart.ts';
import { tillWords } from './words.ts';

type Short = { sku: string; requested: number; available: number };

/** Why nothing was sold, by line, with the options to continue. */
export function Refusal(props: {
  refusal: unknown;
  lines: readonly CartLine[];
  onTakeLeft(left: readonly { sku: string; quantity: number }[]): void;
  onSellAnyway(): void;
}): ReactNode {
  const t = useWords(tillWords);
  const explain = useExplainError();
  const nameOf = useName();
  const { number } = useFormat();
  const named = (sku: string) => {
    const line = props.lines.find((one) => one.sku === sku);
    return line === undefined ? sku : nameOf(line);
  };
  const short = shortIn(props.refusal);
  if (short.length === 0) {
    const gone = goneIn(props.refusal, props.lines);
    const { title, hint } = explain(props.refusal);
    return (
      <Notice tone="bad">
        <strong>{t('refusedTitle')}</strong>
        <div>
          {gone.length > 0
            ? gone.map((sku) => t('goneFromBranch', { name: named(sku) })).join(' · ')
            : [title, hint].filter(Boolean).join(' · ')}
        </div>
      </Notice>
    );
  }
  return (
    <Notice tone="bad">
      <strong>{t('shortTitle')}</strong>
      <ul>
        {short.map(({ sku, requested, available }) => (
          <li key={sku}>
            {t('shortOf', {
              name: named(sku),
              available: number(Math.max(0, available)),
              requested: number(requested),
            })}
          </li>
        ))}
      </ul>
      <div className="till-ways">
        <Button
          onPress={() =>
            props.onTakeLeft(short.map(({ sku, available }) => ({ sku, quantity: Math.max(0, available) })))
          }
        >
          {t('takeLeft')}
        </Button>
        <Button look="quiet" onPress={props.onSellAnyway}>
          {t('sellAnyway')}
        </Button>
      </div>
      <p className="small">{t('sellAnywayHint')}</p>
    </Notice>
  );
}

function shortIn(refusal: unknown): Short[] {
  if (!(refusal instanceof DukkanError) || refusal.status !== 409 || typeof refusal.details !== 'object') return [];
  return Object.entries(refusal.details ?? {}).flatMap(([sku, said]) => {
    const { requested, available } = (said ?? {}) as Partial<Short>;
    return typeof requested === 'number' && typeof available === 'number' ? [{ sku, requested, available }] : [];
  });
}

/** 422 names lines by index: `lines.0.sku_iv_id`. */
function goneIn(refusal: unknown, lines: readonly CartLine[]): string[] {
  if (!(refusal instanceof DukkanError) || typeof refusal.details !== 'object') return [];
  return Object.keys(refusal.details ?? {}).flatMap((field) => {
    const sku = lines[Number(/^lines\.(\d+)\.sku_iv_id$/.exec(field)?.[1] ?? -1)]?.sku;
    return sku === undefined ? [] : [sku];
  });
}
