import { type Decimal, findDecimal } from '../money.ts';
import { Unreadable } from './unreadable.ts';

/** The widest amount or quantity that is believed: `numeric` would take more, no shop does. */
const MAX_AMOUNT_DIGITS = 15;
const MAX_SCALE = 20;
const MAX_ID_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_LIST_ITEMS = 5_000;

/**
 * A place in a payload. `find...` answers with nothing where there is nothing (absent, null, empty text); `get...` says
 * what is missing and where. What is there but of another kind is always Unreadable: a price that reads "free" is no zero.
 */
export type Reader = {
  readonly value: unknown;
  readonly path: string;
  /** Further in; a step through something that is not there leads to nothing. */
  at(...steps: (string | number)[]): Reader;
  isThere(): boolean;
  /** Trimmed and cleaned of what no column holds; cut at 2,000 characters. Numbers and flags are taken as their text. */
  findText(): string | undefined;
  /** Ids of any kind as text, digits intact; Unreadable beyond 200 characters. */
  findId(): string | undefined;
  getId(): string;
  findDecimal(): Decimal | undefined;
  getDecimal(): Decimal;
  findInteger(): number | undefined;
  /** True and false; also as 1 and 0, "true" and "false", "yes" and "no". */
  findFlag(): boolean | undefined;
  /** Nothing there is an empty list. */
  list(): Reader[];
  /** The names in an object and what stands under them. */
  entries(): [string, Reader][];
};

export function readerOf(value: unknown, path = ''): Reader {
  const wrong = (wanted: string) => new Unreadable('unexpected', `${path || 'The payload'} is not ${wanted}`, path);
  const missing = () => new Unreadable('missing', `${path || 'The payload'} is missing`, path);

  const reader: Reader = {
    value,
    path,
    at(...steps) {
      let inner = value;
      let innerPath = path;
      for (const step of steps) {
        innerPath = innerPath === '' ? String(step) : `${innerPath}.${step}`;
        inner =
          isContainer(inner) && Object.hasOwn(inner, step)
            ? (inner as Record<string | number, unknown>)[step]
            : undefined;
      }
      return readerOf(inner, innerPath);
    },
    isThere: () => value !== undefined && value !== null,
    findText() {
      if (value === undefined || value === null) return undefined;
      if (typeof value === 'object') throw wrong('text');
      const text = cleaned(String(value)).trim();
      return text === '' ? undefined : text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
    },
    findId() {
      if (value === undefined || value === null || value === '') return undefined;
      if (typeof value !== 'string' && typeof value !== 'number') throw wrong('an id');
      const text = cleaned(String(value)).trim();
      if (text.length > MAX_ID_CHARACTERS) throw wrong(`an id: it has over ${MAX_ID_CHARACTERS} characters`);
      return text === '' ? undefined : text;
    },
    getId() {
      const id = reader.findId();
      if (id === undefined) throw missing();
      return id;
    },
    findDecimal() {
      if (value === undefined || value === null || value === '') return undefined;
      if (typeof value !== 'string' && typeof value !== 'number') throw wrong('a number');
      const found = findDecimal(String(value).trim());
      if (found === undefined || found.scale > MAX_SCALE) throw wrong('a number');
      const units = found.units < 0n ? -found.units : found.units;
      if (units.toString().length - found.scale > MAX_AMOUNT_DIGITS) throw wrong('a number that can be an amount');
      return found;
    },
    getDecimal() {
      const found = reader.findDecimal();
      if (found === undefined) throw missing();
      return found;
    },
    findInteger() {
      const found = reader.findDecimal();
      if (found === undefined) return undefined;
      const one = 10n ** BigInt(found.scale);
      const integer = Number(found.units / one);
      if (found.units % one !== 0n || !Number.isSafeInteger(integer)) throw wrong('a whole number');
      return integer;
    },
    findFlag() {
      if (value === undefined || value === null || value === '') return undefined;
      // `["1"]` would print as 1, and an object may bring a `toString` that is no function.
      if (typeof value === 'object') throw wrong('true or false');
      const word = String(value).toLowerCase();
      if (['true', '1', 'yes'].includes(word)) return true;
      if (['false', '0', 'no'].includes(word)) return false;
      throw wrong('true or false');
    },
    list() {
      if (value === undefined || value === null) return [];
      if (!Array.isArray(value)) throw wrong('a list');
      if (value.length > MAX_LIST_ITEMS) throw wrong(`a list of at most ${MAX_LIST_ITEMS}`);
      return value.map((_item, index) => reader.at(index));
    },
    entries() {
      if (value === undefined || value === null) return [];
      if (!isContainer(value) || Array.isArray(value)) throw wrong('an object');
      return Object.keys(value).map((name) => [name, reader.at(name)]);
    },
  };
  return reader;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** NUL is in no text column of PostgreSQL, half a surrogate pair in no UTF-8. */
function cleaned(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
