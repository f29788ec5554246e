import { v7 } from 'uuid';

/** Time-ordered ids keep B-tree inserts at the right edge of the index. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id from outside is checked before it reaches a uuid column, so that a wrong one is simply not found. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
