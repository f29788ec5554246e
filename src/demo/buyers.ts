import type { Random } from './random.ts';
import { FAMILY_NAMES, FIRST_NAMES, STREETS } from './words/buyers.ts';

export type Buyer = {
  name: string;
  speaksArabic: boolean;
  /** National, without the leading zero. */
  mobile: string;
  email: string;
  street: string;
  building: number;
  /** Index of the branch where they usually buy. */
  home: number;
  /** Others buy once. */
  comesBack: boolean;
};

/** More than a third, because those who found the shop in the last weeks have had no time to come back. */
const COMES_BACK_SHARE = 0.42;

export function generateBuyers(count: number, homes: number, random: Random): Buyer[] {
  const mobiles = new Set<string>();
  const newMobile = (): string => {
    const mobile = `5${random.between(0, 9)}${String(random.between(0, 9_999_999)).padStart(7, '0')}`;
    if (mobiles.has(mobile)) return newMobile();
    mobiles.add(mobile);
    return mobile;
  };
  return Array.from({ length: count }, (_, index) => {
    const first = oneOf(FIRST_NAMES, random);
    const family = oneOf(FAMILY_NAMES, random);
    const street = oneOf(STREETS, random);
    const speaksArabic = random.chance(0.7);
    const language = speaksArabic ? 1 : 0;
    return {
      name: `${first[language]} ${family[language]}`,
      speaksArabic,
      mobile: newMobile(),
      email: `${first[0]}.${family[0].replace(/\W/g, '')}${index}@mail.example`.toLowerCase(),
      street: street[language],
      building: random.between(1000, 8999),
      home: random.between(0, homes - 1),
      comesBack: random.chance(COMES_BACK_SHARE),
    };
  });
}

/** The share of the buyers who know the shop when the year begins. */
const KNOWN_AT_FIRST = 0.05;

/**
 * Picks the buyer of each order: all buyers of the list are introduced in the course of the year, the others are those who come
 * back, the oldest customers most often. `progress` is the part of the year that has passed.
 */
export function createBuyerPicker(buyers: readonly Buyer[], random: Random): (progress: number) => Buyer {
  const regulars: Buyer[] = [];
  let introduced = 0;
  return (progress) => {
    const due = buyers.length * (KNOWN_AT_FIRST + (1 - KNOWN_AT_FIRST) * progress);
    const next = buyers[introduced];
    if (next !== undefined && (regulars.length === 0 || (introduced < due && random.chance(0.7)))) {
      introduced += 1;
      if (next.comesBack) regulars.push(next);
      return next;
    }
    const regular = regulars[Math.floor(regulars.length * random.next() ** 1.25)];
    if (regular === undefined) throw new Error('the demo has no buyers');
    return regular;
  };
}

/** Each source writes telephone numbers in its own format. */
export function writtenPhone(buyer: Buyer, family: string): string {
  switch (family) {
    case 'pos':
    case 'till':
      return `0${buyer.mobile}`;
    case 'web_store':
      return `966${buyer.mobile}`;
    case 'marketplace':
      return `00966${buyer.mobile}`;
    default:
      return `+966${buyer.mobile}`;
  }
}

export function oneOf<T>(list: readonly T[], random: Random): T {
  const item = list[Math.floor(random.next() * list.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
