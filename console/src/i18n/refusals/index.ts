import type { Language } from '../define-words.ts';
import { fieldErrorInArabic } from './field-errors.ts';
import { fieldNames } from './field-names.ts';
import { messageInArabic } from './messages.ts';

export { wordGrant } from './grants.ts';

/** The message of a refusal; an unknown one has no Arabic, and the caller says that the request was refused. */
export function wordMessage(language: Language, reason: string, message: string): string | undefined {
  return language === 'ar' ? messageInArabic(reason, message) : message;
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
