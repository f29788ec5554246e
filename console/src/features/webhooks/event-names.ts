import { useLanguage } from '../../i18n/index.ts';
import { webhooksWords } from './words.ts';

/** When an event of a type is sent. A type newer than this page has no text yet. */
export function useEventName(): { when(type: string): string } {
  const words: Partial<Record<string, unknown>> = webhooksWords[useLanguage()];
  return {
    when(type) {
      const known = words[`when.${type}`];
      return typeof known === 'string' ? known : '';
    },
  };
}
