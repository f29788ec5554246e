import { useLanguage } from '../../i18n/index.ts';
import { reasonInArabic } from '../../i18n/reasons.ts';

/** Items of a batch are refused by an English sentence each; the usual ones are known in Arabic. */
export function useSayRefusal(): (sentence: string) => string {
  const language = useLanguage();
  return (sentence) => (language === 'ar' ? (reasonInArabic(sentence, sentence) ?? sentence) : sentence);
}
