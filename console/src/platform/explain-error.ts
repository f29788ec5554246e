import { DukkanError } from '@dukkan/sdk';
import { commonWords, type Language, useFormat, useWords } from '../i18n/index.ts';
import { loadRefusalWords, refusalWords } from './refusal-words.ts';

export type Explained = {
  kind: 'offline' | 'forbidden' | 'missing' | 'other';
  title: string;
  hint: string | undefined;
  requestId: string | undefined;
};

/** An error for users. The service answers with a stable reason and with field errors; their texts are in `i18n/refusals`. */
export function useExplainError(): (error: unknown) => Explained {
  const t = useWords(commonWords);
  const { language } = useFormat();
  void loadRefusalWords();
  return (error) => {
    if (!(error instanceof DukkanError)) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId: undefined };
    }
    const { status, requestId } = error;
    if (status === 0) return { kind: 'offline', title: t('noAnswer'), hint: t('noAnswerHint'), requestId };
    if (status === 403) {
      const grant = refusalWords()?.wordGrant(language, grantIn(error) ?? '');
      const hint = grant === undefined ? t('forbiddenPlain') : t('forbiddenHint', { grant });
      return { kind: 'forbidden', title: t('forbidden'), hint, requestId };
    }
    if (status === 429) return { kind: 'other', title: t('tooMany'), hint: undefined, requestId };
    if (status >= 500 && status !== 502) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId };
    }
    const title = refusalWords()?.wordMessage(language, error.reason, error.message) ?? t('refused');
    return { kind: status === 404 ? 'missing' : 'other', title, hint: hintIn(error, language), requestId };
  };
}

/** By field, where the refusal names fields: `{email: 'Is taken'}`. Called while rendering, so that it follows the language. */
export function fieldErrors(error: unknown): Record<string, string> {
  const language = document.documentElement.lang === 'ar' ? 'ar' : 'en';
  const worded = textsIn(error).map(([field, text]) => [
    field,
    refusalWords()?.wordFieldError(language, text) ?? commonWords[language].refusedField,
  ]);
  return Object.fromEntries(worded);
}

function textsIn(error: unknown): [field: string, text: string][] {
  if (!(error instanceof DukkanError) || typeof error.details !== 'object' || error.details === null) return [];
  return Object.entries(error.details).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'reason',
  );
}

function grantIn({ details }: DukkanError): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  return typeof details.grant === 'string' ? details.grant.replace(/ is required$/, '') : undefined;
}

/** What is wrong with which field. Values such as the id that was not found, and fields of the interface only, are left out. */
function hintIn(error: DukkanError, language: Language): string | undefined {
  const words = refusalWords();
  if (words === undefined) return undefined;
  if (typeof error.details === 'string') return language === 'en' ? error.details : undefined;
  const said = textsIn(error).flatMap(([field, text]) => {
    const name = words.wordField(language, field);
    const worded = words.wordFieldError(language, text);
    return name === undefined || worded === undefined ? [] : [`${name}: ${worded}`];
  });
  return said.length === 0 ? undefined : said.join(' · ');
}
