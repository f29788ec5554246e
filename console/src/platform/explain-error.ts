import { DukkanError } from '@dukkan/sdk';
import { commonWords, useFormat, useWords } from '../i18n/index.ts';
import { refusalWords } from './refusal-words.ts';
import { isScriptMissing } from './service-return.ts';

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
  return (error) => {
    if (isScriptMissing(error)) {
      return { kind: 'offline', title: t('noAnswer'), hint: t('noAnswerHint'), requestId: undefined };
    }
    if (!(error instanceof DukkanError)) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId: undefined };
    }
    const { status, requestId } = error;
    const words = refusalWords();
    if (status === 0) return { kind: 'offline', title: t('noAnswer'), hint: t('noAnswerHint'), requestId };
    if (status === 403) {
      const grant = words?.wordGrantOf(language, error);
      const plain = words?.wordFieldErrors(language, error).support ?? t('forbiddenPlain');
      const hint = grant === undefined ? plain : t('forbiddenHint', { grant });
      return { kind: 'forbidden', title: t('forbidden'), hint, requestId };
    }
    if (status === 429) return { kind: 'other', title: t('tooMany'), hint: undefined, requestId };
    if (status >= 500 && status !== 502) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId };
    }
    const title = words?.wordMessage(language, error.reason, error.message) ?? t('failed');
    return {
      kind: status === 404 ? 'missing' : 'other',
      title,
      hint: words?.wordDetails(language, error),
      requestId,
    };
  };
}

/** By field, where the refusal names fields. Called while rendering, so that it follows the language. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof DukkanError)) return {};
  const language = document.documentElement.lang === 'ar' ? 'ar' : 'en';
  return refusalWords()?.wordFieldErrors(language, error) ?? {};
}
