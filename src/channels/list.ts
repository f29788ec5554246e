import { amazonSp } from './amazon-sp/index.ts';
import type { Channel } from './contract.ts';
import { foodics } from './foodics/index.ts';
import { generic } from './generic/index.ts';
import { square } from './square/index.ts';
import { till } from './till/index.ts';
import { woocommerce } from './woocommerce/index.ts';

/** Every channel there is. A new vendor is a folder and a line here. */
export const CHANNELS: readonly Channel[] = [woocommerce, amazonSp, square, foodics, till, generic];

const bySlug = new Map(CHANNELS.map((channel) => [channel.app.slug, channel]));

export function findChannel(slug: string): Channel | undefined {
  return bySlug.get(slug);
}
