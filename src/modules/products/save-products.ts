import type { Tx } from '../../platform/database/index.ts';
import { compileItemValidator } from '../../platform/http/validation.ts';
import type { Item, Mode } from './plan-writes.ts';
import { type GivenFields, readFields } from './product.ts';
import { errorsInWords, inWords } from './refusals.ts';
import { NewProduct } from './schema.ts';
import { writeProducts } from './write-products.ts';

const findFaults = compileItemValidator(NewProduct);

/** Saves what can be saved of a batch. Returns why for each item that was not, in the order of the items. */
export async function saveProducts(
  tx: Tx,
  organizationId: string,
  mode: Mode,
  given: readonly unknown[],
  now: Date,
): Promise<(string | undefined)[]> {
  const faults = given.map(findFaults);
  const sound = given.filter((_item, index) => faults[index] === undefined);
  const outcomes = await writeProducts(tx, organizationId, mode, sound.map(toItem), now);
  const inTurn = outcomes.values();
  return faults.map((fault) => {
    if (fault !== undefined) return errorsInWords(fault);
    const outcome = inTurn.next().value;
    return outcome !== undefined && 'refusal' in outcome ? inWords(outcome.refusal) : undefined;
  });
}

/** Only for what the schema has let through. */
function toItem(given: unknown): Item {
  const body = given as GivenFields & { iv_id: string };
  return { ivId: body.iv_id, fields: readFields(body) };
}

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

/** By name rather than by place. Two that fail under one name are both counted, and the first is told. */
export function summarize(given: readonly unknown[], messages: readonly (string | undefined)[]): BulkOutcome {
  // Without a prototype, so that "__proto__" is a name like any other.
  const errors: Record<string, string> = Object.create(null);
  let failed = 0;
  messages.forEach((message, index) => {
    if (message === undefined) return;
    failed += 1;
    errors[nameOf(given[index], index)] ??= message;
  });
  return { succeeded: given.length - failed, failed, errors };
}

// A longer one cannot be an iv_id and would only bloat the answer.
const MAX_ECHOED_CHARACTERS = 255;

function nameOf(item: unknown, index: number): string {
  const ivId = typeof item === 'object' && item !== null && 'iv_id' in item ? item.iv_id : undefined;
  return typeof ivId === 'string' && ivId !== '' && ivId.length <= MAX_ECHOED_CHARACTERS ? ivId : `#${index}`;
}
