import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/harness/any-text.ts';
import { foldForSearch, likePattern } from './folding.ts';

const text = anyText({ maxLength: 40 });
const arabicText = fc.string({
  unit: fc.constantFrom(...'ابتثجحخدذرزسشصضطظعغفقكلمنهويءأإآٱةىؤئپچگ 0٣۷'),
  maxLength: 30,
});

function codePointsFrom(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}
const ARABIC_MARKS = [
  ...codePointsFrom(0x0610, 0x061a),
  ...codePointsFrom(0x064b, 0x0653),
  ...codePointsFrom(0x0655, 0x065f),
  '\u0670',
  ...codePointsFrom(0x06d6, 0x06dc),
  ...codePointsFrom(0x06df, 0x06e4),
  '\u06e7',
  '\u06e8',
  ...codePointsFrom(0x06ea, 0x06ed),
  ...codePointsFrom(0x08f0, 0x08ff),
];

function insertAt(value: string, position: number, addition: string): string {
  const points = [...value];
  points.splice(position % (points.length + 1), 0, addition);
  return points.join('');
}

describe('foldForSearch', () => {
  it.each([
    ['vowel marks', 'صَيْدَلِيَّةُ الشِّفَاءِ', 'صيدليه الشفاء'],
    ['superscript alef', 'الرحمٰن', 'الرحمن'],
    ['Quranic marks', 'قُلۡ هُوَ ٱللَّهُ أَحَدٌۭ', 'قل هو الله احد'],
    ['tatweel', 'مـــحـــل', 'محل'],
    ['alef variants', 'أإآٱا', 'ااااا'],
    ['decomposed alef variants', 'أإآ', 'ااا'],
    ['teh marbuta', 'مكة', 'مكه'],
    ['alef maqsura', 'مستشفى', 'مستشفي'],
    ['Persian and Urdu letters', 'کی ہے', 'كي هي'],
    ['presentation forms', 'ﺻﻴﺪﻟﻴﺔ', 'صيدليه'],
    ['lam-alef ligature', 'ﻷ', 'لا'],
    ['presentation forms of lone marks do not split a word', 'مﹶحﱠل', 'محل'],
    ['Arabic-Indic digits', '٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['Extended Arabic-Indic digits', '۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['Arabic decimal and percent signs', '٠٫٥٪', '0.5%'],
    ['bidi marks and joiners', '\u200fفرع\u200e می\u200cخواهم\u202a', 'فرع ميخواهم'],
    ['Latin case', 'PANADOL Extra', 'panadol extra'],
    ['Latin accents', 'Crème BRÛLÉE Ñandú', 'creme brulee nandu'],
    ['decomposed Latin accents', 'Cafe\u0301', 'cafe'],
    ['sharp s', 'Straße STRASSE ẞ', 'strasse strasse ss'],
    ['Turkish i', 'İstanbul Iğdır', 'istanbul igdir'],
    ['final sigma', 'ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['ligatures and full width', 'ﬁ Ａ１', 'fi a1'],
    ['white space', '  a\t\n b\u00a0\u3000c  ', 'a b c'],
    ['control characters', 'a\0b\u0007c', 'a b c'],
    ['lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['nothing', '', ''],
    ['only what is dropped', ' \u064e\u0640\u200f\u3164\ufe0f ', ''],
  ])('folds %s', (_name, input, expected) => {
    expect(foldForSearch(input)).toBe(expected);
  });

  it.each([
    ['hamza on waw and waw', 'مؤمن', 'مومن'],
    ['hamza on yeh and yeh', 'بئر', 'بير'],
    ['a lone hamza and none', 'ماء', 'ما'],
    ['Devanagari vowels', 'कि', 'की'],
    ['voiced kana', 'が', 'か'],
    ['letters with a stroke', 'ø', 'o'],
    ['punctuation', 'a-b', 'a b'],
  ])('keeps %s apart', (_name, one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other));
  });

  it('keeps hamza carriers, composed or decomposed, with or without marks', () => {
    expect(foldForSearch('و\u0654')).toBe('ؤ');
    expect(foldForSearch('ي\u0654')).toBe('ئ');
    expect(foldForSearch('مُؤَمِّن')).toBe('مؤمن');
    expect(foldForSearch('و\u064e\u0654')).toBe('ؤ');
    expect(foldForSearch('ب\u0654')).toBe('ب');
  });

  it('is idempotent and ignores case for every letter and mark', () => {
    const unsettled: string[] = [];
    for (let code = 0; code < 0x20000; code += 1) {
      const character = String.fromCodePoint(code);
      if (!/[\p{L}\p{M}\p{N}\p{S}\p{Z}]/u.test(character) || /[\p{sc=Han}\p{sc=Hangul}]/u.test(character)) continue;
      const framed = `a${character}b`;
      const folded = foldForSearch(framed);
      const agrees =
        foldForSearch(folded) === folded &&
        foldForSearch(framed.toUpperCase()) === folded &&
        foldForSearch(framed.toLowerCase()) === folded;
      if (!agrees) unsettled.push(code.toString(16));
    }
    expect(unsettled).toEqual([]);
  });

  it('is idempotent, well formed, and leaves no control character or doubled space', () => {
    fc.assert(
      fc.property(fc.oneof(text, arabicText, fc.string({ unit: 'grapheme' })), (input) => {
        const folded = foldForSearch(input);
        expect(foldForSearch(folded)).toBe(folded);
        expect(folded.isWellFormed()).toBe(true);
        expect(folded).not.toMatch(/\p{Cc}|\s\s|^\s|\s$/u);
      }),
      { numRuns: 500 },
    );
  });

  it('ignores added marks and tatweel', () => {
    fc.assert(
      fc.property(
        fc.oneof(arabicText, text),
        fc.array(fc.tuple(fc.nat(100), fc.constantFrom('\u0640', '\u200f', ...ARABIC_MARKS)), { maxLength: 10 }),
        (input, additions) => {
          const decorated = additions.reduce((value, [position, mark]) => insertAt(value, position, mark), input);
          expect(foldForSearch(decorated)).toBe(foldForSearch(input));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('folds letter variants and normal forms to the same text', () => {
    const variants: Record<string, string[]> = {
      ا: ['أ', 'إ', 'آ', 'ٱ'],
      ه: ['ة'],
      ي: ['ى', 'ی'],
      ك: ['ک'],
      '3': ['٣', '۳'],
    };
    fc.assert(
      fc.property(arabicText, fc.nat(20), fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (input, seed, form) => {
        const respelled = [...input]
          .map((letter, index) => variants[letter]?.[(seed + index) % variants[letter].length] ?? letter)
          .join('')
          .normalize(form);
        expect(foldForSearch(respelled)).toBe(foldForSearch(input));
      }),
      { numRuns: 300 },
    );
  });

  it('finds a word within the name that contains it', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ابتأةىؤئeÉß'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(4), (words, pick) => {
        const wanted = words[pick % words.length] ?? '';
        expect(foldForSearch(words.join('  '))).toContain(foldForSearch(wanted));
      }),
    );
  });
});

describe('likePattern', () => {
  it.each([
    ['panadol', '%panadol%'],
    ['50%', '%50\\%%'],
    ['a_b', '%a\\_b%'],
    ['a\\b', '%a\\\\b%'],
    ['\\%_', '%\\\\\\%\\_%'],
    ['', '%%'],
  ])('escapes %j', (folded, expected) => {
    expect(likePattern(folded)).toBe(expected);
  });

  it('unescapes to the same text, with wildcards only at the ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'ب') }), (folded) => {
        const inner = likePattern(folded).slice(1, -1);
        expect(inner.replace(/\\(.)/gu, '$1')).toBe(folded);
        expect(inner.replace(/\\./gu, '')).not.toMatch(/[%_\\]/);
      }),
    );
  });
});
