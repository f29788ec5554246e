import { DukkanError } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useLanguage } from '../../../i18n/index.ts';
import { useExplainError } from '../../../platform/index.ts';
import { Notice, showToast } from '../../../ui/index.ts';
import { operatorWords } from '../words.ts';

/** Texts for refusals of operator routes, with the amount due where it applies. */
export function useSayRefusal(): (error: unknown) => { title: string; hint: string | undefined } {
  const explain = useExplainError();
  const words: Partial<Record<string, unknown>> = operatorWords[useLanguage()];
  const { money } = useFormat();
  return (error) => {
    const known = error instanceof DukkanError ? words[`refused.${error.message}`] : undefined;
    const { title, hint } = explain(error);
    if (typeof known !== 'string') return { title, hint };
    const due = error instanceof DukkanError && typeof error.details === 'object' ? error.details?.due_sar : undefined;
    return { title: typeof due === 'number' ? `${known}: ${money(due)}` : known, hint: undefined };
  };
}

export function Refusal({ error }: { error: unknown }): ReactNode {
  const say = useSayRefusal();
  if (error === null || error === undefined) return null;
  const { title, hint } = say(error);
  return (
    <Notice tone="bad">
      {title}
      {hint !== undefined && <div className="small">{hint}</div>}
    </Notice>
  );
}

/** For actions without a form. */
export function useToastRefusal(): (error: unknown) => void {
  const say = useSayRefusal();
  return (error) => {
    const { title, hint } = say(error);
    showToast({ tone: 'bad', text: title, detail: hint });
  };
}
