import { useLanguage } from '../../i18n/index.ts';
import { reasonInArabic } from '../../i18n/reasons.ts';

/** Batch items are refused with an English message each; common ones have an Arabic translation. */
export function useSayRefusal(): (sentence: string) => string {
  const language = useLanguage();
  return (sentence) => (language === 'ar' ? (reasonInArabic(sentence, sentence) ?? sentence) : sentence);
}
