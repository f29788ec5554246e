// Makes the four font files of the console (console/src/ui/fonts), and the same without compression for PDF invoices (INVOICES below), from
// IBM Plex Sans Arabic: the characters that Arabic and English
// pages use, names of people and products included. 128 kB become about half. Run after an update of the font:
//   npm i --no-save subset-font && node scripts/subset-fonts.mjs
// Not part of the build: the files change with the font only, and the tool (harfbuzz) would be 3 MB for every install.
// The licence of the font reserves its name, so the files and the family have another one; the names inside are removed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'console/src/ui/fonts');
/** PDF embeds TrueType. */
const INVOICES = path.join(ROOT, 'src/modules/commercial/fleet/invoices/pdf/fonts');
const require = createRequire(process.env.SUBSET_FONT_FROM ?? import.meta.url);
/** Not a dependency of the project. */
const TOOL = 'subset-font';
const subsetFont = require(TOOL);
const source = path.dirname(createRequire(import.meta.url).resolve('@fontsource/ibm-plex-sans-arabic/package.json'));

const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
const CHARACTERS = {
  // ASCII, Latin-1, dashes, quotes, dots, arrows, signs.
  latin:
    range(0x20, 0x7e) +
    range(0xa0, 0xff) +
    range(0x2010, 0x2027) +
    range(0x2030, 0x203a) +
    '\u200e\u200f\u202f\u2044\u20ac\u2122\u2190\u2191\u2192\u2193\u2212',
  // Punctuation, the letters and marks of Arabic, both kinds of digits, the letters of Persian and Urdu names, the riyal sign.
  arabic:
    '\u060c\u061b\u061c\u061f' +
    range(0x0621, 0x063a) +
    range(0x0640, 0x0655) +
    range(0x0660, 0x066d) +
    '\u0670\u0671\u067e\u0686\u0698\u06a4\u06a9\u06af\u06be\u06c1\u06cc\u06d2\u06d4' +
    range(0x06f0, 0x06f9) +
    '\u200c\u200d\u200e\u200f\ufdf2\ufdfc',
};

for (const folder of [TARGET, INVOICES]) mkdirSync(folder, { recursive: true });
for (const [script, characters] of Object.entries(CHARACTERS)) {
  for (const weight of [400, 600]) {
    const font = readFileSync(path.join(source, `files/ibm-plex-sans-arabic-${script}-${weight}-normal.woff2`));
    const subset = await subsetFont(font, characters, { targetFormat: 'woff2', preserveNameIds: [0, 13, 14] });
    writeFileSync(path.join(TARGET, `dukkan-sans-${script}-${weight}.woff2`), subset);
    const plain = await subsetFont(font, characters, { targetFormat: 'sfnt', preserveNameIds: [0, 13, 14] });
    writeFileSync(path.join(INVOICES, `dukkan-sans-${script}-${weight}.ttf`), plain);
    process.stdout.write(`${script} ${weight}: ${font.length} -> ${subset.length}\n`);
  }
}
for (const folder of [TARGET, INVOICES]) {
  writeFileSync(path.join(folder, 'LICENSE'), readFileSync(path.join(source, 'LICENSE')));
}
