import { useLanguage } from '../../../i18n/index.ts';
import { leadsWords } from './words.ts';

/** Why someone asked; unknown reasons are shown as sent. */
export function useReason(): (word: string) => string {
  const words: Partial<Record<string, unknown>> = leadsWords[useLanguage()];
  return (word) => {
    const known = words[`reason.${word.toLowerCase()}`];
    return typeof known === 'string' ? known : word;
  };
}
