import fc from 'fast-check';
import {
  type DocumentedRoute,
  examplesOf,
  jsonBodyOf,
  type Parameter,
  requiredQueryOf,
} from '../harness/documented-routes.ts';
import { arbitraryOf } from './arbitrary-of-schema.ts';
import { hostileText, toJsonText } from './hostile-values.ts';

export type FuzzRequest = { method: string; path: string; headers: Record<string, string>; body: string | undefined };

const BROKEN_ESCAPES = fc.constantFrom(
  '%',
  '%z',
  '%zz',
  '%ff%fe',
  '%00',
  '%ED%A0%80',
  '%2e%2e%2f',
  '%2F',
  '%',
  '.',
  '..',
  ';',
  '*',
);

/** Requests of one route with its parts filled at random. `ids` are some that exist, so that not all ends in 404. */
export function requestsFor(route: DocumentedRoute, ids: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const parameters = route.operation.parameters ?? [];
  const segment = fc.oneof(fc.constantFrom(...ids), hostileText.map(escaped), BROKEN_ESCAPES);
  const pathNames = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const path = fc
    .array(segment, { minLength: pathNames.length, maxLength: pathNames.length })
    .map((values) =>
      pathNames.reduce((filled, name, index) => filled.replace(`{${name}}`, () => values[index] || 'x'), route.path),
    );
  return fc
    .record({ path, query: queryOf(parameters), headers: HEADERS, body: bodyOf(route) })
    .map(({ path, query, headers, body }) => ({
      method: route.method,
      path: `/api/v1${path}${query === '' ? '' : `?${query}`}`,
      headers: body === undefined ? headers : { 'content-type': typeOf(route), ...headers },
      body,
    }));
}

/** A few routes take text in place of JSON. */
const csvOf = ({ operation }: DocumentedRoute) => examplesOf(operation.requestBody?.content['text/csv']).map(String);
const typeOf = (route: DocumentedRoute) => (csvOf(route).length > 0 ? 'text/csv' : 'application/json');

/**
 * Requests of one route as its description has them, `count` of them: ids that exist in its path, its own examples in the
 * body (or `ownBody`, where those speak of what is not there), nothing odd about the rest. They show that the others are not
 * all rejected by validation.
 */
export function soundRequestsFor(
  route: DocumentedRoute,
  ids: readonly string[],
  count: number,
  ownBody?: unknown,
): FuzzRequest[] {
  const examples = ownBody === undefined ? examplesOf(jsonBodyOf(route.operation)) : [ownBody];
  const texts = [...examples.map(toJsonText), ...csvOf(route)];
  return Array.from({ length: count }, (_, index) => {
    const body = texts[index % texts.length];
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': typeOf(route) };
    const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(ids[index % ids.length])));
    return {
      method: route.method,
      path: `/api/v1${path}${requiredQueryOf(route.operation)}`,
      headers,
      body,
    };
  });
}

function queryOf(parameters: Parameter[]): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const one = named.map(({ name, schema }) =>
    // A long poll that is granted would be a minute of nothing.
    (name === 'wait' ? fc.constantFrom<unknown>(0, -1, 'soon', 1e9) : arbitraryOf(schema)).map(
      (value) => `${name}=${escaped(typeof value === 'string' ? value : toJsonText(value))}`,
    ),
  );
  const odd = fc.oneof(
    BROKEN_ESCAPES,
    hostileText.map(escaped),
    fc.constantFrom('page=1&page=2', 'a[b]=c', '&&&', '=', '?'),
  );
  if (one.length === 0) return fc.oneof({ arbitrary: fc.constant(''), weight: 3 }, { arbitrary: odd, weight: 1 });
  const some = fc
    .subarray(one)
    .chain((chosen) => (chosen.length === 0 ? fc.constant('') : fc.tuple(...chosen).map((parts) => parts.join('&'))));
  return fc.oneof({ arbitrary: some, weight: 6 }, { arbitrary: odd, weight: 1 });
}

function bodyOf(route: DocumentedRoute): fc.Arbitrary<string | undefined> {
  const content = jsonBodyOf(route.operation);
  const csv = csvOf(route);
  if (csv.length > 0)
    return fc.oneof(fc.tuple(fc.constantFrom(...csv), fc.nat(), fc.nat(255)).map(damaged), hostileText);
  if (content === undefined) return fc.constant(undefined);
  const examples = examplesOf(content).map(toJsonText);
  // One NUL or lone surrogate has the whole body refused, so most bodies are spared them and get further.
  const text = fc
    .tuple(fc.nat(4), arbitraryOf(content.schema))
    .map(([variant, value]) =>
      variant === 0 ? toJsonText(value) : toJsonText(value).replace(/\\u(0000|d[89a-f]..)/g, 'x'),
    );
  return fc.oneof(
    { arbitrary: text, weight: 8 },
    // A good body with a little damage gets further than one that is all wrong.
    { arbitrary: fc.tuple(fc.constantFrom(...examples, '{}'), fc.nat(), fc.nat(255)).map(damaged), weight: 3 },
    {
      arbitrary: fc.constantFrom('', '{', '[]', 'null', '"', '0', `${'['.repeat(10_000)}${']'.repeat(10_000)}`),
      weight: 1,
    },
  );
}

function damaged([text, at, code]: [string, number, number]): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1);
}

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  {
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'x-organization-id',
        'idempotency-key',
        'x-request-id',
        'x-async',
        'accept',
        'accept-encoding',
        'if-none-match',
        'last-event-id',
        'range',
        'origin',
        'cookie',
        'x-session',
        'x-api-key',
        'x-forwarded-for',
        'content-type',
        'user-agent',
      ),
      fc.oneof(
        headerText,
        fc.constantFrom(
          'true',
          '*',
          'application/json; charset=utf-16',
          'multipart/form-data',
          'bytes=0-',
          'x'.repeat(4000),
        ),
      ),
      { maxKeys: 3 },
    ),
    weight: 1,
  },
);

function escaped(text: string): string {
  return encodeURIComponent(text.slice(0, 1500).toWellFormed());
}
