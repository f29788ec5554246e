import { type Decimal, findDecimal } from '../money.ts';
import { Unreadable } from './unreadable.ts';

/** The longest amount or quantity accepted: `numeric` allows more, no shop needs it. */
const MAX_AMOUNT_DIGITS = 15;
const MAX_SCALE = 20;
const MAX_ID_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_LIST_ITEMS = 5_000;

/**
 * A position in a payload. `find...` returns undefined for an absent value (missing, null, empty text); `get...` throws and
 * names the missing path. A value of another type is always Unreadable: a price of "free" is not zero.
 */
export type Reader = {
  readonly value: unknown;
  readonly path: string;
  /** A nested position. Steps through absent values lead to an absent value. */
  at(...steps: (string | number)[]): Reader;
  isThere(): boolean;
  /** Trimmed, without characters that PostgreSQL refuses, cut at 2,000 characters. Numbers and booleans become text. */
  findText(): string | undefined;
  /** Ids as text without loss of digits; Unreadable beyond 200 characters. */
  findId(): string | undefined;
  getId(): string;
  findDecimal(): Decimal | undefined;
  getDecimal(): Decimal;
  findInteger(): number | undefined;
  /** True and false; also as 1 and 0, "true" and "false", "yes" and "no". */
  findFlag(): boolean | undefined;
  /** Empty when absent. */
  list(): Reader[];
  /** Names and values of an object. */
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

/** PostgreSQL refuses NUL, and UTF-8 cannot encode an unpaired surrogate. */
function cleaned(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
