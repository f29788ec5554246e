import { useLanguage, useWords } from '../../../i18n/index.ts';
import { operatorWords } from '../words.ts';

type Group = 'state' | 'fee' | 'entry' | 'method' | 'paid';

/** Translates stored values; unknown ones are shown as stored. */
export function useSay(): (group: Group, word: string) => string {
  const words: Partial<Record<string, unknown>> = operatorWords[useLanguage()];
  return (group, word) => {
    const known = words[`${group}.${word}`];
    return typeof known === 'string' ? known : word;
  };
}

export const useOperatorWords = () => useWords(operatorWords);
