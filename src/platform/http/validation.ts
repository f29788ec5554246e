import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isInstant } from './instant.ts';

/** Fields with what is wrong with each, keyed `products.0.sku_id`. */
export type FieldErrors = Record<string, string>;

const MAX_REPORTED_FIELDS = 50;
/** Above this many values only the first error is collected: millions of error objects would fill the memory. */
const MAX_VALUES_CHECKED_THROUGH = 20_000;

// Bodies are not converted: "5" is not a number. Query and path values are text, so they are converted.
const bodyCheckers = newCheckers(false);
const textCheckers = newCheckers('array');

type Checkers = { first: Ajv; all: Ajv };

function newCheckers(coerceTypes: false | 'array'): Checkers {
  const make = (allErrors: boolean) => {
    // Verbose, for the description of the schema that an error comes from.
    const ajv = new Ajv({
      coerceTypes,
      useDefaults: true,
      allErrors,
      strict: false,
      strictNumbers: true,
      verbose: true,
    });
    addFormats.default(ajv, ['date', 'email', 'uri', 'uuid']);
    // The package's own format accepts leap seconds and year zero, which PostgreSQL and Date cannot hold.
    ajv.addFormat('date-time', isInstant);
    return ajv;
  };
  return { first: make(false), all: make(true) };
}

type Check = { (value: unknown): boolean; errors: ErrorObject[] | undefined };

/**
 * Compiled at first use: compiling all at startup took 0.2 s of CPU. Almost every request is valid, so the validator that collects all
 * errors is compiled only after a first error.
 */
function compileCheck(checkers: Checkers, schema: object): Check {
  let first: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  const check: Check = (value) => {
    first ??= checkers.first.compile(schema);
    if (first(value)) return true;
    check.errors = first.errors ?? [];
    if (holdsAtMost(value, MAX_VALUES_CHECKED_THROUGH)) {
      all ??= checkers.all.compile(schema);
      if (!all(value)) check.errors = all.errors ?? [];
    }
    return false;
  };
  check.errors = undefined;
  return check;
}

function holdsAtMost(value: unknown, limit: number): boolean {
  const waiting = [value];
  let seen = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    seen += 1;
    if (typeof next !== 'object' || next === null) continue;
    const inside = Object.values(next);
    if (seen + waiting.length + inside.length > limit) return false;
    waiting.push(...inside);
  }
  return true;
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? compileCheck(bodyCheckers, schema) : compileTextCheck(schema)) as ReturnType<
    FastifySchemaCompiler<object>
  >;

const DECIMAL = /^[-+.\dEe]+$/;

/** The conversion accepts what JavaScript takes for a number: the word Infinity, `0x10`, blanks around it. */
function compileTextCheck(schema: object): Check {
  const convertAndCheck = compileCheck(textCheckers, schema);
  const check: Check = (value) => {
    const texts: Record<string, unknown> = { ...(value ?? {}) };
    const passed = convertAndCheck(value);
    check.errors = convertAndCheck.errors;
    if (!passed) return false;
    const isWrong = (name: string, part: unknown) =>
      typeof part === 'number' && !(Number.isFinite(part) && DECIMAL.test(String(texts[name] ?? part)));
    const wrong = Object.entries(value ?? {}).find(([name, part]) => isWrong(name, part));
    if (wrong === undefined) return true;
    const params = { type: 'number' };
    check.errors = [{ keyword: 'type', instancePath: `/${wrong[0]}`, schemaPath: '', params }];
    return false;
  };
  check.errors = undefined;
  return check;
}

/** For items that are checked one by one inside a bulk call. */
export function compileItemValidator(schema: object): (item: unknown) => FieldErrors | undefined {
  const check = compileCheck(bodyCheckers, schema);
  return (item) => (check(item) ? undefined : fieldErrors(check.errors ?? []));
}

export function fieldErrors(errors: readonly ErrorObject[]): FieldErrors {
  const faults = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const field = fieldName(error);
    const known = faults.get(field);
    if (known !== undefined) known.push(error);
    else if (faults.size < MAX_REPORTED_FIELDS) faults.set(field, [error]);
  }
  const fields = [...faults.keys()];
  const said = [...faults].filter(([field, complaints]) => !isExplainedInside(field, complaints, fields));
  return Object.fromEntries(said.map(([field, complaints]) => [field, describeField(complaints)]));
}

/** Of an object or null, the error inside the object is what the client has to mend, not that null would have been valid. */
function isExplainedInside(field: string, complaints: readonly ErrorObject[], fields: readonly string[]): boolean {
  if (!complaints.some(({ keyword }) => keyword === 'anyOf')) return false;
  const prefix = field === 'body' ? '' : `${field}.`;
  return fields.some((other) => other !== field && other.startsWith(prefix));
}

/** One sentence per field. Of a union, each alternative reports an error, and none alone describes the problem. */
function describeField(complaints: ErrorObject[]): string {
  const isChoice = complaints.some(({ keyword }) => keyword === 'anyOf');
  const single = complaints.filter(({ keyword }) => keyword !== 'anyOf');
  const [first] = single.length > 0 ? single : complaints;
  if (first === undefined) return 'is not valid';
  if (!isChoice) return describe(first);
  const deeper = single.find(({ keyword }) => keyword !== 'type' && keyword !== 'const');
  if (deeper !== undefined) return describe(deeper);
  const values = single.filter(({ keyword }) => keyword === 'const').map(({ params }) => String(params.allowedValue));
  const types = single.filter(({ keyword }) => keyword === 'type').map(({ params }) => String(params.type));
  if (values.length > 0) return `must be one of ${[...values, ...types.filter((type) => type === 'null')].join(', ')}`;
  return types.length > 0 ? `must be ${article([...new Set(types)].join(','))}` : describe(first);
}

function fieldName(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  return path.join('.') || 'body';
}

function describe(error: ErrorObject): string {
  const limit = error.params.limit;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${article(String(error.params.type))}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'const':
      return `must be ${error.params.allowedValue}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'at least one is required' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'format':
      return FORMATS.get(error.params.format) ?? `must be a valid ${error.params.format}`;
    case 'pattern':
      return describePattern(error);
    default:
      return error.message ?? 'is not valid';
  }
}

const FORMATS = new Map([
  ['date-time', 'must be an RFC 3339 time such as 2026-11-15T18:30:00+03:00'],
  ['date', 'must be a date such as 2026-11-15'],
  ['email', 'must be a valid email address such as sara@example.com'],
  ['uri', 'must be a valid address such as https://example.com/path'],
  ['uuid', 'must be an id such as 0193a1f0-7c00-7000-8000-000000000001'],
]);

/** A pattern is not readable to users; the field's description is. */
function describePattern({ params, parentSchema }: ErrorObject): string {
  if (params.pattern === '\\S') return 'must not be blank';
  const { description } = (parentSchema ?? {}) as { description?: string };
  return description === undefined ? 'has a wrong format' : `has a wrong format: ${description}`;
}

function article(type: string): string {
  const names = type
    .split(',')
    .map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : name === 'null' ? name : `a ${name}`));
  return names.join(' or ');
}
