export type Language = 'en' | 'ar';

/** The plural forms: English has two, Arabic six. */
export type EnglishPlural = { readonly one: string; readonly other: string };
export type ArabicPlural = {
  readonly zero: string;
  readonly one: string;
  readonly two: string;
  readonly few: string;
  readonly many: string;
  readonly other: string;
};

type English = Readonly<Record<string, string | EnglishPlural>>;
/** The same keys; a plural has all six forms in Arabic. */
type Arabic<En extends English> = { readonly [Key in keyof En]: En[Key] extends string ? string : ArabicPlural };

/** The texts of a page in both languages. A missing key does not compile. */
export type Words<En extends English = English> = { readonly en: En; readonly ar: Arabic<En> };

/** `{name}` in a text is a required value; a plural always requires `{count}`. */
type PlaceholdersOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholdersOf<Rest> : never;
type Values<Entry> = Entry extends string
  ? PlaceholdersOf<Entry>
  : 'count' | (Entry extends EnglishPlural ? PlaceholdersOf<Entry['other']> : never);
export type ValuesOf<Entry> = { [Name in Values<Entry>]: Name extends 'count' ? number : string | number };

export function defineWords<const En extends English>(en: En, ar: Arabic<En>): Words<En> {
  return { en, ar };
}

export type Translate<En extends English> = <Key extends keyof En & string>(
  key: Key,
  ...values: [Values<En[Key]>] extends [never] ? [] : [values: ValuesOf<En[Key]>]
) => string;

const rulesOf = new Map<Language, Intl.PluralRules>();

/** Created with the first plural: one for each translate function took 5 ms of the load of home. */
function pluralForm(language: Language, count: number): Intl.LDMLPluralRule {
  const rules = rulesOf.get(language) ?? new Intl.PluralRules(language);
  rulesOf.set(language, rules);
  return rules.select(count);
}

/** Creates the translate function of one dictionary and language. `formatNumber` formats the count. */
export function translator<En extends English>(
  words: Words<En>,
  language: Language,
  formatNumber: (value: number) => string,
): Translate<En> {
  return (key, ...given) => {
    const entry: string | Partial<Record<Intl.LDMLPluralRule, string>> = words[language][key];
    const values = (given[0] ?? {}) as Record<string, string | number>;
    const text =
      typeof entry === 'string'
        ? entry
        : (entry[pluralForm(language, Number(values.count))] ?? entry.other ?? String(key));
    return text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? formatNumber(value) : (value ?? '');
    });
  };
}
