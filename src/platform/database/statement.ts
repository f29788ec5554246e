import { encodeUtf8 } from '../text/encode-utf8.ts';

/** Result of a statement: its rows, and how many rows it read, wrote or deleted. */
export type Rows<T> = T & { readonly count: number };

export type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** Anything that may be used in a template: a value, a list for an array parameter, or a SQL fragment. */
export type Value = Scalar | readonly (Scalar | readonly Scalar[])[] | Piece;

/** A SQL fragment for use in other SQL. */
export type Piece = Statement<readonly unknown[]> | Identifiers | RowValues | Json | LongText;

/** Ready to send: `$1` in place of values, and a name under which a connection caches its plan. */
export type Compiled = { text: string; values: unknown[]; name: string | undefined };

export type Run = (statement: Compiled, rowMode: 'object' | 'array') => Promise<Rows<never[]>>;

export class Identifiers {
  readonly text: string;
  constructor(names: string | readonly string[]) {
    this.text = [names].flat().map(quote).join(',');
  }
}

/** After `set`: assignments. Anywhere else: the columns and values of an insert. */
export class RowValues {
  readonly rows: readonly Record<string, unknown>[];
  constructor(rows: object | readonly object[]) {
    this.rows = [rows].flat() as Record<string, unknown>[];
  }
}

export class Json {
  readonly text: string;
  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

/** Sent as bytes, which are the binary format of `text`: the driver converts texts with Arabic letters five times slower. */
export class LongText {
  readonly bytes: Buffer;
  constructor(text: string) {
    this.bytes = encodeUtf8(text);
  }
}

/**
 * A template that has not run yet. Awaited, it runs once. Used in another template, it becomes part of that one and never runs by
 * itself.
 */
export class Statement<T extends readonly unknown[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  readonly #run: Run;
  #rowMode: 'object' | 'array' = 'object';
  #outcome: Promise<Rows<T>> | undefined;

  constructor(run: Run, strings: readonly string[], values: readonly unknown[]) {
    this.#run = run;
    this.strings = strings;
    this.values = values;
  }

  /** Rows as arrays: for statements whose columns need no names. */
  asArrays(): this {
    this.#rowMode = 'array';
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a lazy promise.
  then<Done = Rows<T>, Failed = never>(
    onDone?: ((rows: Rows<T>) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#start().then(onDone, onFailed);
  }

  catch<Failed = never>(onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null) {
    return this.#start().catch(onFailed);
  }

  finally(onEnd?: (() => void) | null) {
    return this.#start().finally(onEnd);
  }

  #start(): Promise<Rows<T>> {
    this.#outcome ??= this.#begin();
    return this.#outcome;
  }

  async #begin(): Promise<Rows<T>> {
    return (await this.#run(compile(this), this.#rowMode)) as unknown as Rows<T>;
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

type Draft = { text: string; values: unknown[] };

export function compile(statement: Statement<readonly unknown[]>): Compiled {
  const draft: Draft = { text: '', values: [] };
  append(draft, statement);
  return { ...draft, name: draft.values.length > 0 ? nameOf(draft.text) : undefined };
}

function append(draft: Draft, { strings, values }: Statement<readonly unknown[]>): void {
  draft.text += strings[0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value instanceof Statement) append(draft, value);
    else if (value instanceof Identifiers) draft.text += value.text;
    else if (value instanceof RowValues) appendRows(draft, value);
    else appendValue(draft, value);
    draft.text += strings[index + 1];
  }
}

function appendRows(draft: Draft, { rows }: RowValues): void {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) throw new Error('a row without columns cannot be written');
  const append = (row: Record<string, unknown>, column: string) => appendValue(draft, row[column]);
  if (/\bset\s*$/i.test(draft.text)) {
    for (const [index, column] of columns.entries()) {
      draft.text += `${index === 0 ? '' : ','}${quote(column)}=`;
      append(rows[0] ?? {}, column);
    }
    return;
  }
  draft.text += `(${columns.map(quote).join(',')})values`;
  for (const [line, row] of rows.entries()) {
    draft.text += line === 0 ? '(' : ',(';
    for (const [index, column] of columns.entries()) {
      if (index > 0) draft.text += ',';
      append(row, column);
    }
    draft.text += ')';
  }
}

/**
 * The server infers a parameter's type from its context, and uses text where the context does not determine it. Times, bytes,
 * booleans and bigints are therefore cast explicitly.
 */
function appendValue(draft: Draft, value: unknown): void {
  const position = draft.values.length + 1;
  draft.text += `$${position}${castOf(value)}`;
  draft.values.push(encode(value));
}

function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::boolean';
  if (typeof value === 'bigint') return '::bigint';
  if (value instanceof Date) return '::timestamptz';
  return value instanceof Uint8Array ? '::bytea' : '';
}

/** Like the driver's own conversion, except for times, which the driver writes in the machine's time zone, and for JSON. */
export function encode(value: unknown): unknown {
  if (value === undefined) throw new Error('a statement holds an undefined value');
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Json) return value.text;
  if (value instanceof LongText) return value.bytes;
  if (Array.isArray(value)) return value.some((item) => item instanceof Date) ? value.map(encode) : value;
  return value;
}

const MAX_NAMES = 4_000;
const names = new Map<string, string>();

/**
 * A named statement is parsed and planned once per connection. The service has few distinct texts. If something generates them without
 * bound, those past the limit stay unnamed, so that no connection accumulates plans.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
