import type { Provider } from './contract.ts';
import { geidea } from './geidea/index.ts';
import { hyperpay } from './hyperpay/index.ts';
import { mispay } from './mispay/index.ts';
import { moyasar } from './moyasar/index.ts';
import { myfatoorah } from './myfatoorah/index.ts';
import { paytabs } from './paytabs/index.ts';
import { tabby } from './tabby/index.ts';
import { tamara } from './tamara/index.ts';
import { tap } from './tap/index.ts';

/** All providers of the specification. A new one is a folder and a line here. */
export const PROVIDERS: readonly Provider[] = [
  tabby,
  tamara,
  mispay,
  moyasar,
  hyperpay,
  paytabs,
  tap,
  myfatoorah,
  geidea,
];

const byId = new Map(PROVIDERS.map((provider) => [provider.id, provider]));
const byApp = new Map(PROVIDERS.map((provider) => [provider.app.slug, provider]));

export function findProvider(id: string): Provider | undefined {
  return byId.get(id);
}

export function findProviderByApp(slug: string): Provider | undefined {
  return byApp.get(slug);
}
