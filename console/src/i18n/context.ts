import { createContext, type ReactNode, use, useMemo } from 'react';
import { jsx } from 'react/jsx-runtime';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { type Language, type Translate, translator, type Words } from './define-words.ts';
import { createFormat, type Format, LOCALES } from './format.ts';
import { channelWords } from './shared-words.ts';

const FormatContext = createContext<Format | undefined>(undefined);

export const DEFAULT_TIME_ZONE = 'Asia/Riyadh';

/**
 * The language of everything below. Times are in the organization's time zone. Without the syntax of JSX: in tests of `words.ts` Node itself
 * loads this file.
 */
export function LanguageProvider(props: { language: Language; timeZone?: string; children: ReactNode }): ReactNode {
  const { language, timeZone = DEFAULT_TIME_ZONE, children } = props;
  const format = useMemo(() => createFormat(language, timeZone), [language, timeZone]);
  const inner = jsx(I18nProvider, { locale: LOCALES[language], children });
  return jsx(FormatContext, { value: format, children: inner });
}

export function useFormat(): Format {
  const format = use(FormatContext);
  if (format === undefined) throw new Error('there is no LanguageProvider above');
  return format;
}

export function useLanguage(): Language {
  return useFormat().language;
}

export function useWords<En extends Words['en']>(words: Words<En>): Translate<En> {
  const { language, number } = useFormat();
  return useMemo(() => translator(words, language, number), [words, language, number]);
}

/** The name in the current language, or the other one where it is missing. */
export function useName(): (named: { name_en?: string | null; name_ar?: string | null }) => string {
  const language = useLanguage();
  return ({ name_en, name_ar }) => (language === 'ar' ? name_ar || name_en : name_en || name_ar) ?? '';
}

/** The name of a channel; an unknown slug is shown as it is. */
export function useChannelName(): (slug: string) => string {
  const names: Partial<Record<string, string>> = channelWords[useLanguage()];
  return (slug) => names[slug] ?? slug;
}
