import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const THINGS: [string, string][] = [
  ['Panadol', 'بنادول'],
  ['Shampoo', 'شامبو'],
  ['Vitamin C', 'فيتامين سي'],
  ['Baby milk', 'حليب أطفال'],
  ['Toothpaste', 'معجون أسنان'],
  ['Honey', 'عسل'],
  ['Dates', 'تمر'],
  ['Olive oil', 'زيت زيتون'],
  ['Coffee', 'قهوة'],
  ['Hand cream', 'كريم لليدين'],
];
const MAKERS = ['Almarai', 'Nadec', 'Sunsilk', 'Nivea', 'Bayer', 'Goody', 'Saudia', 'Luna', 'Tamimi', 'Rana'];
const SIZES = ['50 ml', '100 ml', '250 g', '500 g', '1 kg', '24 tablets', '48 tablets', '2 l', '30 pieces', '6 pack'];

export type MadeProduct = {
  iv_id: string;
  name_en: string;
  name_ar: string;
  average_price: number;
  vat_value: number;
  barcode: string;
};

/** The same every time: a tenth of them is Panadol, a hundredth Panadol of one maker. */
export function madeProduct(number: number, prefix = 'P'): MadeProduct {
  const pick = <T>(list: readonly T[], step: number) => list[Math.floor(number / step) % list.length] as T;
  const [thingEn, thingAr] = pick(THINGS, 1);
  const maker = pick(MAKERS, 10);
  const size = pick(SIZES, 100);
  return {
    iv_id: `${prefix}-${String(number).padStart(7, '0')}`,
    name_en: `${maker} ${thingEn} ${size}`,
    name_ar: `${thingAr} ${maker} ${size}`,
    average_price: (number % 900) / 4,
    vat_value: 15,
    barcode: `${prefix}${String(number).padStart(12, '0')}`,
  };
}

export async function writeCsv(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  out.write('iv_id,name_en,name_ar,average_price,vat_value,barcode\n');
  for (let number = 0; number < count; number += 1) {
    const line = `${Object.values(madeProduct(number)).join(',')}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
