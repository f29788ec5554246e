/** What grouping reads of a product. An SKU has no brand or category. */
type Named = { name_en: string; name_ar: string; brand_id?: string | null; category_id?: string | null };
export type VariantGroup<Product> = { key: string; products: readonly Product[] };
export type NameParts = {
  /** The name without its variant parts, in its own spelling. */
  base: string;
  /** The variant parts: "500 mg, 24 tablets". */
  label: string;
};

const NUMBER = String.raw`\d+(?:[.,]\d+)?`;
/** Longer spellings first: the pattern takes the first that fits. No `%` and no `in`: "2 in 1" and "100% cotton" are no sizes. */
const ENGLISH_UNITS = [
  'mcg|µg|mg|kg|kgs|g|gm|gms|gr|grams?|kilos?|iu|ml|cl|l|lt|ltr|ltrs|lit(?:er|re)s?|cm|mm|m|met(?:er|re)s?|inch(?:es)?|oz|w|watts?|gb|tb|mah',
  'tablets?|tabs?|caplets?|capsules?|caps|softgels?|gummies|lozenges?|pastilles?|suppositor(?:y|ies)|ampoules?|vials?|doses?|puffs?|patches|strips?',
  'pieces?|pcs?|packs?|packets?|pkts?|sachets?|sticks?|tea ?bags?|bags?|cans?|bottles?|boxes|cartons?|cups?|jars?|rolls?|sheets?|tissues|wipes|pads|diapers|nappies|eggs|slices|cubes|pairs?|count|ct|s',
].join('|');
const ARABIC_UNITS = [
  'ميكروجرام|ميكروغرام|مكجم|مكغ|ملليجرام|ملجم|ملغم|ملغ|مجم|كيلوجرام|كيلوغرام|كيلو|كجم|كغم|كغ|جرامات|جرام|غرام|جم|غم|وحده دوليه|وحده',
  'ملليلتر|مليلتر|ملي|مل|لترات|لتر|سنتيمتر|سم|ملم|امتار|متر|انش|بوصه|واط|جيجا',
  'اقراص|قرص|حبات|حبه|كبسولات|كبسوله|امبولات|امبوله|جرعات|جرعه|بخات|بخه|لصقات|لصقه|شرائط|شريط|تحاميل|تحميله',
  'قطع|قطعه|عبوات|عبوه|علب|علبه|اكياس|كيس|اظرف|ظرف|مغلفات|مغلف|حزم|حزمه|كراتين|كرتون|اكواب|كوب|قوارير|قاروره|زجاجات|زجاجه|لفات|لفه|رولات|رول|مناديل|منديل|ورقه|حفاضات|حفاضه|حفاض|فوطه|بيضات|بيضه|شريحه|مكعبات|مكعب|ازواج|زوج',
].join('|');
const UNITS = `(?:${ENGLISH_UNITS}|${ARABIC_UNITS})`;
const MEASURE = `${NUMBER}\\s*${UNITS}(?![\\p{L}\\p{N}])`;
/** "24 tablets", "6 x 330 ml", "330 ml x 6", "228 mg/5 ml", "pack of 6". */
const MEASURES = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:${NUMBER}\\s*[x×*]\\s*)?${MEASURE}(?:\\s*/\\s*(?:${MEASURE}|${UNITS}(?![\\p{L}\\p{N}])))?(?:\\s*[x×*]\\s*\\d+(?![\\p{L}\\p{N}]))?` +
    '|(?<![\\p{L}\\p{N}])(?:pack|box|set) of \\d+(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:size|مقاس) \\d+(?![\\p{L}\\p{N}.,])',
  'gu',
);

/** Words that are a variant only in a part of their own, after a comma, dash or bracket: "green tea" and "Centrum Silver" are other goods. */
const WORDS = new Set(
  (
    'xxs xs s m l xl xxl xxxl x-large small medium large mini black white red blue green yellow pink brown grey gray purple beige navy ' +
    'صغير صغيره وسط متوسط متوسطه كبير كبيره اسود سوداء ابيض بيضاء احمر حمراء ازرق زرقاء اخضر خضراء اصفر صفراء وردي بني رمادي بنفسجي بيج كحلي'
  ).split(' '),
);
const SEPARATORS = /[,،;|()[\]–—]|\s[-/]\s/;

/** Splits a name into what the variants share and how they differ; undefined when it names no variant. */
export function splitName(name: string): NameParts | undefined {
  const labels: string[] = [];
  const bases: string[] = [];
  name.split(SEPARATORS).forEach((segment, index) => {
    const text = segment.trim();
    if (text === '') return;
    if (index > 0 && text.split(/\s+/).every((word) => WORDS.has(folded(word)))) {
      labels.push(text);
      return;
    }
    const { base, label } = withoutMeasures(text);
    labels.push(...label);
    if (base !== '') bases.push(base);
  });
  const base = bases.join(' ').replace(/\s+/g, ' ');
  return labels.length === 0 || !/\p{L}{2}/u.test(base) ? undefined : { base, label: labels.join(', ') };
}

function withoutMeasures(text: string): { base: string; label: string[] } {
  const label: string[] = [];
  // Folding keeps every character's position, so that the parts can be cut out of the name as it is written.
  const shape = folded(text);
  let base = '';
  let from = 0;
  for (const { 0: found, index } of shape.matchAll(MEASURES)) {
    label.push(text.slice(index, index + found.length).trim());
    base += text.slice(from, index);
    from = index + found.length;
  }
  return { base: (base + text.slice(from)).trim(), label };
}

/** Letter for letter: case, Arabic digits and letter variants. The length stays. */
function folded(text: string): string {
  return [...text]
    .map((letter) => {
      const lower = letter.toLowerCase();
      if (lower.length !== letter.length) return letter;
      if (/[٠-٩]/.test(lower)) return String(lower.charCodeAt(0) - 0x0660);
      return ({ أ: 'ا', إ: 'ا', آ: 'ا', ة: 'ه', ى: 'ي', '٫': '.', '٬': ',' } as Record<string, string>)[lower] ?? lower;
    })
    .join('');
}

/**
 * What two variants have in common: brand, category and both names apart from their variant parts. Undefined for a product that names no variant.
 * A wrong group is worse than none: a name that is written in two languages has to agree in both.
 */
function variantKey({ name_en, name_ar, brand_id, category_id }: Named): string | undefined {
  const names = [name_en, name_ar].filter((name) => name.trim() !== '').map(splitName);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return JSON.stringify([
    brand_id ?? '',
    category_id ?? '',
    name_en.trim() === '',
    ...names.map((one) => folded(one?.base ?? '')),
  ]);
}

/** Groups of two and more variants, in the order of their first product. Products with equal labels are no variants but duplicates. */
export function groupVariants<Product extends Named>(products: readonly Product[]): VariantGroup<Product>[] {
  const found = new Map<string, Product[]>();
  for (const product of products) {
    const key = variantKey(product);
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), product]);
  }
  return [...found]
    .filter(([, members]) => members.length > 1 && new Set(members.map(labelKey)).size === members.length)
    .map(([key, members]) => ({ key, products: members }));
}

const labelKey = ({ name_en, name_ar }: Named) => folded(splitName(name_en || name_ar)?.label ?? '').replace(/\s/g, '');

/** The group that a product belongs to among these, with itself. */
export function variantsOf<Product extends Named & { iv_id: string }>(
  product: Product,
  others: readonly Product[],
): readonly Product[] {
  const all = [product, ...others.filter(({ iv_id }) => iv_id !== product.iv_id)];
  const group = groupVariants(all).find(({ products }) => products.includes(product));
  return group === undefined ? [] : bySize(group.products);
}

/** The beginning of the name up to its first variant part: the service's search finds every variant by it. */
export function searchTextOf({ name_en, name_ar }: Named): string | undefined {
  const name = name_en.trim() === '' ? name_ar : name_en;
  if (splitName(name) === undefined) return undefined;
  const [segment = ''] = name.split(SEPARATORS);
  const start = folded(segment).search(MEASURES);
  const text = (start === -1 ? segment : segment.slice(0, start)).trim();
  return /\p{L}{2}/u.test(text) ? text : undefined;
}

const SCALES: Record<string, number> = {
  kg: 1000,
  كجم: 1000,
  كيلو: 1000,
  l: 1000,
  لتر: 1000,
  mg: 0.001,
  ملجم: 0.001,
  mcg: 0.000001,
};

/** The smallest first. */
export function bySize<Product extends Named>(products: readonly Product[]): Product[] {
  const labelled = products.map((product) => ({
    product,
    label: splitName(product.name_en || product.name_ar)?.label ?? '',
  }));
  labelled.sort(
    (one, other) =>
      sizeOf(one.label) - sizeOf(other.label) || one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
  return labelled.map(({ product }) => product);
}

function sizeOf(label: string): number {
  const [, number, unit = ''] = /(\d+(?:[.,]\d+)?)\s*(\p{L}*)/u.exec(folded(label)) ?? [];
  return number === undefined ? 0 : Number(number.replace(',', '.')) * (SCALES[unit] ?? 1);
}
