import { DukkanError } from '@dukkan/sdk';
import { commonWords, useFormat, useWords } from '../i18n/index.ts';
import { reasonInArabic } from '../i18n/reasons.ts';

export type Explained = {
  kind: 'offline' | 'forbidden' | 'missing' | 'other';
  title: string;
  hint: string | undefined;
  requestId: string | undefined;
};

/** An error for users. The service's message is English; Arabic is looked up by `X-Error-Reason`. */
export function useExplainError(): (error: unknown) => Explained {
  const t = useWords(commonWords);
  const { language } = useFormat();
  return (error) => {
    if (!(error instanceof DukkanError)) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId: undefined };
    }
    const { status, requestId } = error;
    if (status === 0) return { kind: 'offline', title: t('noAnswer'), hint: t('noAnswerHint'), requestId };
    if (status === 403) {
      const grant = grantIn(error);
      const hint = grant === undefined ? t('forbiddenPlain') : t('forbiddenHint', { grant });
      return { kind: 'forbidden', title: t('forbidden'), hint, requestId };
    }
    if (status === 429) return { kind: 'other', title: t('tooMany'), hint: undefined, requestId };
    if (status >= 500 && status !== 502) {
      return { kind: 'other', title: t('failed'), hint: t('failedHint'), requestId };
    }
    const title = language === 'ar' ? (reasonInArabic(error.reason, error.message) ?? error.message) : error.message;
    return { kind: status === 404 ? 'missing' : 'other', title, hint: detailsInWords(error.details), requestId };
  };
}

/** By field, where the refusal names fields: `{email: 'is taken'}`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof DukkanError) || typeof error.details !== 'object' || error.details === null) return {};
  const texts = Object.entries(error.details).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'reason',
  );
  return Object.fromEntries(texts);
}

function grantIn({ details }: DukkanError): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  return typeof details.grant === 'string' ? details.grant.replace(/ is required$/, '') : undefined;
}

function detailsInWords(details: DukkanError['details']): string | undefined {
  if (typeof details === 'string') return details;
  if (details === null) return undefined;
  const said = Object.entries(details).filter(([name, value]) => name !== 'reason' && typeof value === 'string');
  return said.length === 0 ? undefined : said.map(([name, value]) => `${name}: ${value}`).join(' · ');
}
