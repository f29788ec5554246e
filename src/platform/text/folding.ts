// Presentation forms of a lone vowel mark: compatibility decomposition would turn each into a space (or tatweel)
// plus the mark, and the space would split the word.
const LONE_MARK_FORMS = /[\uFC5E-\uFC63\uFE70-\uFE7F]/gu;

// Invisible characters and optional marks, in one class because each further pass costs 0.5 us a name: tatweel; bidi
// marks, joiners and soft hyphens, which are copied along with text; and the marks of scripts that use them optionally.
// In Indic scripts, Thai and kana (U+3099, U+309A) marks are vowels or part of the letter, so dropping every \p{Mn}
// would merge different words. Hamza above is dropped later, after its carrier is known.
const DROPPED =
  /[\u0640\p{Cf}\p{Default_Ignorable_Code_Point}[[[\p{Mn}\p{Me}]&&[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}]]--[\u3099\u309A\u0654]]]/gv;

const HAMZA_ABOVE = '\u0654';

const LETTERS = new Map<string, string>([
  ...pairs('ٱٲٳ', 'ا'),
  ...pairs('ةۃہھە', 'ه'),
  ...pairs('ىیے', 'ي'),
  ...pairs('کڪ', 'ك'),
  ...[...'٠١٢٣٤٥٦٧٨٩'].map((digit, value): [string, string] => [digit, String(value)]),
  ...[...'۰۱۲۳۴۵۶۷۸۹'].map((digit, value): [string, string] => [digit, String(value)]),
  ['٫', '.'],
  ['٬', ','],
  ['٪', '%'],
  ['ς', 'σ'],
]);
const VARIANT_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

const PLAIN_ASCII = /^[\x20-\x7E]*$/;

/**
 * Folds the spellings of a name to one form. Applied to the stored search text and to the query.
 *
 * Decomposition turns أ إ آ into a bare alef plus a mark, so stripping the marks folds them. ؤ and ئ decompose the
 * same way but stay letters of their own: writers drop the hamza of an alef freely, while و for ؤ or ي for ئ is
 * another word. A lone ء stays too. Letters like ø or ł are letters, not accents, and stay.
 * NUL and other controls become spaces and lone surrogates U+FFFD, so PostgreSQL can always store the result.
 */
export function foldForSearch(text: string): string {
  // Barcodes, ids and most English names need none of the Unicode passes.
  if (PLAIN_ASCII.test(text)) return text.toLowerCase().replace(/ +/g, ' ').trim();
  return (
    text
      .toWellFormed()
      .replace(LONE_MARK_FORMS, '')
      .normalize('NFKD')
      // Through upper case and back, because lower case alone keeps ß apart from ss and ı from i; lowered first,
      // because the capital ẞ is its own upper case. Before the marks go: Greek has one that upper case makes a letter.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(DROPPED, '')
      .replace(VARIANT_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
      .replaceAll(`و${HAMZA_ABOVE}`, 'ؤ')
      .replaceAll(`ي${HAMZA_ABOVE}`, 'ئ')
      .replaceAll(HAMZA_ABOVE, '')
      .replace(/[\s\p{Z}\p{Cc}]+/gu, ' ')
      .trim()
  );
}

/** For `LIKE` with the default escape. An empty search gives `%%`, which matches every row. */
export function likePattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
}

function pairs(variants: string, letter: string): Array<[string, string]> {
  return [...variants].map((variant) => [variant, letter]);
}
