import type { DemoProduct } from '../products.ts';
import { GROCERY_SHAPES } from './grocery-shapes.ts';
import { PALETTES, paletteOf } from './palettes.ts';
import { PHARMACY_SHAPES } from './pharmacy-shapes.ts';

const SHAPES = { ...PHARMACY_SHAPES, ...GROCERY_SHAPES };
type ShapeName = keyof typeof SHAPES;

const BY_CATEGORY: Readonly<Record<string, ShapeName>> = {
  pain: 'box',
  antibiotic: 'box',
  cold: 'box',
  stomach: 'box',
  chronic: 'box',
  vitamin: 'pills',
  skin: 'tube',
  sun: 'sun',
  hair: 'pump',
  oral: 'tube',
  baby: 'pump',
  device: 'meter',
  firstaid: 'pump',
  dairy: 'carton',
  bakery: 'bread',
  rice: 'sack',
  oil: 'oil',
  canned: 'can',
  frozen: 'frozen',
  drink: 'water',
  coffee: 'coffee',
  snack: 'chips',
  sweet: 'chocolate',
  date: 'dates',
  fresh: 'fruit',
  clean: 'cleaner',
  paper: 'tissues',
};

/** Words of a name that say more about the packaging than the category does. The first that matches decides. */
const BY_WORD: readonly [RegExp, ShapeName][] = [
  [/toothbrush/i, 'toothbrush'],
  [/diapers/i, 'diapers'],
  [/formula/i, 'tin'],
  [/plaster|gauze|bandage/i, 'plasters'],
  [/strips|lancets|mask/i, 'box'],
  [/syrup|suspension|solution|mouthwash/i, 'syrup'],
  [/drops|spray/i, 'drops'],
  [/\b(gel|cream|ointment)\b(?! cheese)/i, 'tube'],
  [/shower|lotion|H2O|cleanser|wash\b/i, 'pump'],
  [/yoghurt|labneh/i, 'cup'],
  [/cheddar|cream cheese|feta/i, 'cheese'],
  [/\bcola\b|sparkling/i, 'soda'],
  [/juice|cordial/i, 'carton'],
  [/powder|sugar|flour/i, 'sack'],
  [/honey|halawa|tahini|butter|mayonnaise/i, 'honey'],
];

export type Drawing = { name: ShapeName; palette: number };

/** Palettes of fresh goods: they have their own colours and not those of a maker. */
const FRESH: readonly [RegExp, number][] = [
  [/cucumber/i, 1],
  [/tomato/i, 2],
  [/./, 3],
];

/** The same drawing for the same product at every load. */
export function chooseDrawing({ category, brand, name_en }: DemoProduct): Drawing {
  const [, byWord] = BY_WORD.find(([word]) => word.test(name_en)) ?? [];
  const name = byWord ?? BY_CATEGORY[category] ?? 'box';
  const [, fresh = 0] = FRESH.find(([word]) => word.test(name_en)) ?? [];
  return { name, palette: category === 'fresh' ? fresh : paletteOf(brand) };
}

export function drawSvg({ name, palette }: Drawing): string {
  const colours = PALETTES[palette];
  if (colours === undefined) throw new Error(`there is no palette ${palette}`);
  const ground = `<rect width="240" height="240" fill="${colours.ground}"/>`;
  const shadow = '<ellipse cx="120" cy="206" rx="76" ry="9" fill="#00000014"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240">${ground}${shadow}${SHAPES[name](colours)}</svg>`;
}
