/** Latin articles as they are written before a name: "Al Olaya", "Ar-Rawdah", "ash Shati". */
const ARTICLES = new Set(['al', 'el', 'ad', 'an', 'ar', 'as', 'at', 'az', 'ash', 'adh', 'ath']);

/** One form of the spellings that people use for one name, in Arabic and in Latin letters. Words stay separated by a space. */
export function foldName(text: string): string {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    // Latin accents, then hamza marks split off by the normalization, Arabic vowel signs and the tatweel.
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g, '')
    .replace(/['’‘ʿʾ`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const names = words.filter((word) => !ARTICLES.has(word));
  return (names.length === 0 ? words : names).map(foldWord).join(' ');
}

function foldWord(word: string): string {
  const arabic = word
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ؤ/g, 'و')
    .replace(/[ىئ]/g, 'ي')
    .replace(/ء/g, '')
    .replace(/ة$/, 'ه')
    .replace(/^ال(?=..)/, '');
  return (
    arabic
      // Buraydah and Buraida, Qatif and Kateef, Dhahran and Zahran, Jeddah and Jidda.
      .replace(/q/g, 'k')
      .replace(/dh/g, 'd')
      .replace(/gh/g, 'g')
      .replace(/[eiy]+/g, 'i')
      .replace(/[ou]+/g, 'u')
      .replace(/([a-z])\1+/g, '$1')
      .replace(/ah$/, 'a')
  );
}
