import { useLanguage } from '../../i18n/index.ts';
import { fieldNames } from '../../i18n/refusals/field-names.ts';
import { fieldWords } from './field-words.ts';
import { operationWords } from './operation-words.ts';

/** A setting of an app, such as `settings.store_id`. */
const APP_SETTING = 'settings.';

/** A name of `changed_fields` in words: a field, or the operation that support has called. An unknown one is shown as received. */
export function useFieldName(): (name: string) => string {
  const language = useLanguage();
  const words: Partial<Record<string, string>> = {
    ...fieldNames[language],
    ...fieldWords[language],
    ...operationWords[language],
  };
  // Isolated: inside Arabic, names in Latin letters would turn the order of their neighbours.
  const received = (name: string) => `\u2066${name}\u2069`;
  return (name) =>
    words[name] ??
    (name.startsWith(APP_SETTING)
      ? `${fieldWords[language].settings} ${received(name.slice(APP_SETTING.length))}`
      : received(name));
}
