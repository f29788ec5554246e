import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';

/** Fields with what is wrong with each, keyed `products.0.sku_id`. */
export type FieldErrors = Record<string, string>;

const MAX_REPORTED_FIELDS = 50;

// Bodies are taken as they are: "5" is not a number. Query and path values are all text, so they are converted.
const bodyValidator = newValidator({ coerceTypes: false, useDefaults: true });
const textValidator = newValidator({ coerceTypes: 'array', useDefaults: true });

function newValidator(options: { coerceTypes: false | 'array'; useDefaults: boolean }): Ajv {
  const ajv = new Ajv({ ...options, allErrors: true, strict: false, strictNumbers: true, validateFormats: true });
  addFormats.default(ajv, ['date-time', 'date', 'email', 'uri', 'uuid']);
  return ajv;
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodyValidator : textValidator).compile(schema) as ValidateFunction;

/** For items that are checked one by one inside a bulk call. */
export function compileItemValidator(schema: object): (item: unknown) => FieldErrors | undefined {
  const validate = bodyValidator.compile(schema);
  return (item) => (validate(item) ? undefined : fieldErrors(validate.errors ?? []));
}

export function fieldErrors(errors: readonly ErrorObject[]): FieldErrors {
  const byField: FieldErrors = {};
  for (const error of errors) {
    const field = fieldName(error);
    // With nullable fields Ajv reports each alternative; the first one names the real complaint.
    if (error.keyword === 'anyOf' && byField[field] !== undefined) continue;
    if (byField[field] === undefined || byField[field] === describe({ ...error, keyword: 'null' })) {
      byField[field] = describe(error);
    }
    if (Object.keys(byField).length >= MAX_REPORTED_FIELDS) break;
  }
  return byField;
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
      return `must be a valid ${error.params.format}`;
    case 'pattern':
      return 'has a wrong format';
    default:
      return error.message ?? 'is not valid';
  }
}

function article(type: string): string {
  const names = type
    .split(',')
    .map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : name === 'null' ? name : `a ${name}`));
  return names.join(' or ');
}
