import type { FieldErrors } from './validation.ts';

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

export type BulkTally = {
  /** `count` where several items of the call stand behind one name. */
  fail(name: string, message: string, count?: number): void;
  outcome(items: number): BulkOutcome;
};

/** What became of the items of a bulk call. Two that fail under one name are both counted, and the first is told. */
export function createBulkTally(): BulkTally {
  const errors = new Map<string, string>();
  let failed = 0;
  return {
    fail(name, message, count = 1) {
      failed += count;
      if (!errors.has(name)) errors.set(name, message);
    },
    // Entries become members of their own, so that "__proto__" is a name like any other.
    outcome: (items) => ({ succeeded: items - failed, failed, errors: Object.fromEntries(errors) }),
  };
}

// A longer one cannot be a name and would only bloat the answer.
const MAX_ECHOED_CHARACTERS = 255;

/** What the caller finds an item again by: what it calls itself, or its place in the call. */
export function itemName(item: unknown, field: string, index: number): string {
  const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined;
  return nameOr(name, index);
}

export function nameOr(name: unknown, index: number): string {
  return typeof name === 'string' && name !== '' && name.length <= MAX_ECHOED_CHARACTERS ? name : `#${index}`;
}

/** The faults of one item as one message. */
export function errorsInWords(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, reason]) => (field === 'body' ? reason : `${field} ${reason}`))
    .join('; ');
}
