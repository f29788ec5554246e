import type { Tx } from '../../platform/database/index.ts';
import { type BulkOutcome, createBulkTally, errorsInWords, itemName } from '../../platform/http/bulk-tally.ts';
import { compileItemValidator } from '../../platform/http/validation.ts';
import type { Item, Mode } from './plan-writes.ts';
import { type GivenFields, readFields } from './product.ts';
import { inWords } from './refusals.ts';
import { NewProduct } from './schema.ts';
import { writeProducts } from './write-products.ts';

const findFaults = compileItemValidator(NewProduct);

/**
 * Saves what can be saved of a batch. Returns why for each item that was not, in the order of the items; `known` has what
 * is wrong with some of them already, by their places.
 */
export async function saveProducts(
  tx: Tx,
  organizationId: string,
  mode: Mode,
  given: readonly unknown[],
  now: Date,
  known: ReadonlyMap<number, string> = new Map(),
): Promise<(string | undefined)[]> {
  const faults = given.map((item, index) => known.get(index) ?? faultOf(item));
  const sound = given.filter((_item, index) => faults[index] === undefined);
  const outcomes = await writeProducts(tx, organizationId, mode, sound.map(toItem), now);
  const inTurn = outcomes.values();
  return faults.map((fault) => {
    if (fault !== undefined) return fault;
    const outcome = inTurn.next().value;
    return outcome !== undefined && 'refusal' in outcome ? inWords(outcome.refusal) : undefined;
  });
}

function faultOf(item: unknown): string | undefined {
  const faults = findFaults(item);
  return faults && errorsInWords(faults);
}

/** Only for what the schema has let through. */
function toItem(given: unknown): Item {
  const body = given as GivenFields & { iv_id: string };
  return { ivId: body.iv_id, fields: readFields(body) };
}

/** By name rather than by place. */
export function summarize(given: readonly unknown[], messages: readonly (string | undefined)[]): BulkOutcome {
  const tally = createBulkTally();
  messages.forEach((message, index) => {
    if (message !== undefined) tally.fail(itemName(given[index], 'iv_id', index), message);
  });
  return tally.outcome(given.length);
}
