import type { DukkanError } from '@dukkan/sdk';
import type { Language } from '../define-words.ts';
import { fieldErrorInArabic } from './field-errors.ts';
import { fieldNames } from './field-names.ts';
import { wordGrant } from './grants.ts';
import { messageInArabic } from './messages.ts';

const REFUSED = { en: 'The service refused this', ar: 'رفضت الخدمة هذا الطلب' };
const WRONG_VALUE = { en: 'Check this value', ar: 'تحقّق من هذه القيمة' };

/** The message of a refusal. An Arabic page never shows English: an unknown message says that the request was refused. */
export function wordMessage(language: Language, reason: string, message: string): string {
  return language === 'ar' ? (messageInArabic(reason, message) ?? REFUSED.ar) : message || REFUSED.en;
}

/** What is wrong with a field. English texts of the service start in lower case, after the name of the field. */
export function wordFieldError(language: Language, text: string): string | undefined {
  return language === 'ar' ? fieldErrorInArabic(text) : text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of a field, in full or after its last dot: `products.0.name` is `name`. */
export function wordField(language: Language, field: string): string | undefined {
  const names: Partial<Record<string, string>> = fieldNames[language];
  return names[field] ?? names[field.slice(field.lastIndexOf('.') + 1)];
}

/** By field, where the refusal names fields: `{email: 'Is taken'}`. */
export function wordFieldErrors(language: Language, error: DukkanError): Record<string, string> {
  return Object.fromEntries(
    textsIn(error).map(([field, text]) => [field, wordFieldError(language, text) ?? WRONG_VALUE[language]]),
  );
}

/** What is wrong with which field. Values such as the id that was not found, and fields of the interface only, are left out. */
export function wordDetails(language: Language, error: DukkanError): string | undefined {
  if (typeof error.details === 'string') return language === 'en' ? error.details : undefined;
  const said = textsIn(error).flatMap(([field, text]) => {
    const name = wordField(language, field);
    const worded = wordFieldError(language, text);
    return name === undefined || worded === undefined ? [] : [`${name}: ${worded}`];
  });
  return said.length === 0 ? undefined : said.join(' · ');
}

/** The grant that a 403 asks for. */
export function wordGrantOf(language: Language, error: DukkanError): string | undefined {
  const [, grant] = textsIn(error).find(([field]) => field === 'grant') ?? [];
  return grant === undefined ? undefined : wordGrant(language, grant.replace(/ is required$/, ''));
}

function textsIn({ details }: DukkanError): [field: string, text: string][] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'reason',
  );
}
