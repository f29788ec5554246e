import type { Dukkan, Schemas } from '@dukkan/sdk';
import { type ConflictChoice, type FieldConflict, ifMatch, saveFields } from '../../platform/index.ts';

type Product = Schemas['Product'];
type Change = Omit<Schemas['ProductReplacement'], 'iv_id'>;

/** Sends the changed fields only, so that what another user changed meanwhile stays. */
export function saveProduct(
  api: Dukkan,
  base: Product,
  change: Change,
  choose: (conflicts: FieldConflict<Change>[]) => Promise<ConflictChoice>,
): Promise<Product> {
  return saveFields({
    base,
    change,
    choose,
    send: async (body, latest) => {
      const path = { ivId: base.iv_id };
      const { data } = await api.call('updateProduct', { path, body, headers: ifMatch(latest) });
      return data;
    },
  });
}
