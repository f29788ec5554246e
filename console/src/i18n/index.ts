export {
  DEFAULT_TIME_ZONE,
  LanguageProvider,
  useChannelName,
  useFormat,
  useLanguage,
  useName,
  useWords,
} from './context.ts';
export {
  type ArabicPlural,
  defineWords,
  type EnglishPlural,
  type Language,
  type Translate,
  type Words,
} from './define-words.ts';
export type { Format } from './format.ts';
export { commonWords, orderWords } from './shared-words.ts';
