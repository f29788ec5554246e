import { useLanguage, useWords } from '../../../i18n/index.ts';
import { operatorWords } from '../words.ts';

type Group = 'state' | 'fee' | 'entry' | 'method' | 'paid';

/** Words that the service stores, in the reader's language; one that is not known here is shown as it is stored. */
export function useSay(): (group: Group, word: string) => string {
  const words: Partial<Record<string, unknown>> = operatorWords[useLanguage()];
  return (group, word) => {
    const known = words[`${group}.${word}`];
    return typeof known === 'string' ? known : word;
  };
}

export const useOperatorWords = () => useWords(operatorWords);
