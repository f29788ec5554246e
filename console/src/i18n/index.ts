export {
  DEFAULT_TIME_ZONE,
  LanguageProvider,
  useChannelName,
  useFormat,
  useLanguage,
  useName,
  useWords,
} from './context.tsx';
export {
  type ArabicPlural,
  defineWords,
  type EnglishPlural,
  type Language,
  type Translate,
  translator,
  type Words,
} from './define-words.ts';
export { createFormat, type Format, LOCALES } from './format.ts';
export { channelWords, commonWords, orderWords } from './shared-words.ts';
