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
  /** Where they usually buy, as one of the shop's branches. */
  home: number;
};

export function generateBuyers(count: number, homes: number, random: Random): Buyer[] {
  return Array.from({ length: count }, (_, index) => {
    const first = oneOf(FIRST_NAMES, random);
    const family = oneOf(FAMILY_NAMES, random);
    const street = oneOf(STREETS, random);
    const speaksArabic = random.chance(0.7);
    const language = speaksArabic ? 1 : 0;
    return {
      name: `${first[language]} ${family[language]}`,
      speaksArabic,
      mobile: `5${random.between(0, 9)}${String(random.between(0, 9_999_999)).padStart(7, '0')}`,
      email: `${first[0]}.${family[0].replace(/\W/g, '')}${index}@mail.example`.toLowerCase(),
      street: street[language],
      building: random.between(1000, 8999),
      home: random.between(0, homes - 1),
    };
  });
}

/**
 * A buyer; the first of the list buy most often: they are the regulars. `share` is how much of the year
 * has passed, and with it how many have found the shop.
 */
export function pickBuyer(buyers: readonly Buyer[], share: number, random: Random): Buyer | undefined {
  const known = Math.ceil(buyers.length * (0.4 + 0.6 * share));
  return buyers[Math.floor(known * random.next() ** 1.4)];
}

/** Every source writes numbers in its own way; they are the same people all the same. */
export function writtenPhone(buyer: Buyer, family: string): string {
  switch (family) {
    case 'pos':
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
