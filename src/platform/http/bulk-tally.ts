import type { FieldErrors } from './validation.ts';

export type BulkOutcome = { succeeded: number; failed: number; errors: Record<string, string> };

export type BulkTally = {
  /** `count` where one name covers several items. */
  fail(name: string, message: string, count?: number): void;
  outcome(items: number): BulkOutcome;
};

/** Results of a bulk call. Two items that fail under one name are both counted; the first message is reported. */
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

// A longer text is not a name and would only inflate the response.
const MAX_ECHOED_CHARACTERS = 255;

/** Identifies an item for the client: its own name, or its index in the call. */
export function itemName(item: unknown, field: string, index: number): string {
  const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined;
  return nameOr(name, index);
}

export function nameOr(name: unknown, index: number): string {
  return typeof name === 'string' && name !== '' && name.length <= MAX_ECHOED_CHARACTERS ? name : `#${index}`;
}

/** The errors of one item as one message. */
export function errorsInWords(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, reason]) => (field === 'body' ? reason : `${field} ${reason}`))
    .join('; ');
}
