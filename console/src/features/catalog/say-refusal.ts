import { useLanguage } from '../../i18n/index.ts';
import { wordFieldError, wordMessage } from '../../i18n/refusals/index.ts';

/** Items of a batch are refused with a message each, or with `field text` pairs. */
export function useSayRefusal(): (sentence: string) => string {
  const language = useLanguage();
  return (sentence) => {
    const [, fieldText = ''] = /^\S+ (.+)$/.exec(sentence) ?? [];
    if (language === 'en') return sentence;
    return wordFieldError(language, fieldText) ?? wordMessage(language, '', sentence);
  };
}
