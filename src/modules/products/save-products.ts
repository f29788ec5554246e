import type { Tx } from '../../platform/database/index.ts';
import { type BulkOutcome, createBulkTally, errorsInWords, itemName } from '../../platform/http/bulk-tally.ts';
import { compileItemValidator } from '../../platform/http/validation.ts';
import type { Author } from '../audit/index.ts';
import type { Item, Mode } from './plan-writes.ts';
import { type GivenFields, readFields } from './product.ts';
import { fieldsAtFault, inWords } from './refusals.ts';
import { NewProduct } from './schema.ts';
import { writeProducts } from './write-products.ts';

const findFaults = compileItemValidator(NewProduct);

/** Why an item was not saved, and the fields at fault where it is a matter of fields. */
export type ItemFault = { message: string; fields: string[] };

/**
 * Saves what can be saved of a batch. Returns why for each item that was not, in the order of the items; `known` has what
 * is wrong with some of them already, by their places.
 */
export async function saveProducts(
  tx: Tx,
  organizationId: string,
  mode: Mode,
  given: readonly unknown[],
  author: Author,
  now: Date,
  known: ReadonlyMap<number, string> = new Map(),
): Promise<(ItemFault | undefined)[]> {
  const faults = given.map((item, index) => faultOf(item, known.get(index)));
  const sound = given.filter((_item, index) => faults[index] === undefined);
  const outcomes = await writeProducts(tx, organizationId, mode, sound.map(toItem), author, now);
  const inTurn = outcomes.values();
  return faults.map((fault) => {
    if (fault !== undefined) return fault;
    const outcome = inTurn.next().value;
    if (outcome === undefined || !('refusal' in outcome)) return undefined;
    return { message: inWords(outcome.refusal), fields: fieldsAtFault(outcome.refusal) };
  });
}

function faultOf(item: unknown, known: string | undefined): ItemFault | undefined {
  if (known !== undefined) return { message: known, fields: [] };
  const faults = findFaults(item);
  return faults && { message: errorsInWords(faults), fields: Object.keys(faults) };
}

/** Only for what the schema has let through. */
function toItem(given: unknown): Item {
  const body = given as GivenFields & { iv_id: string };
  return { ivId: body.iv_id, fields: readFields(body) };
}

/** By name rather than by place. */
export function summarize(given: readonly unknown[], faults: readonly (ItemFault | undefined)[]): BulkOutcome {
  const tally = createBulkTally();
  faults.forEach((fault, index) => {
    if (fault !== undefined) tally.fail(itemName(given[index], 'iv_id', index), fault.message);
  });
  return tally.outcome(given.length);
}
