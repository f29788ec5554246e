import { ProblemSchema } from '../envelopes.ts';
import { type Problem, problemBody } from '../problem.ts';
import { type Document, isReference, type Operation, type Response, type Schema } from './document.ts';
import { headerParameters, refsToResponseHeaders, refToRequestHeader, responseHeaders, shownOnly } from './headers.ts';
import { type AccessFacts, type RouteFacts, refusalsOf } from './refusals-of.ts';

const ANSWERS: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Taken on; it is done in the background',
  204: 'Done; there is nothing to answer',
};

const REFUSALS: Record<string, string> = {
  400: 'The request cannot be read, or something in its address or headers is wrong',
  401: 'No valid credential',
  402: "The organization's billing is suspended",
  403: 'The caller may not do this',
  404: 'There is no such thing, or not for this caller',
  409: 'It contradicts what is there',
  410: 'It is gone',
  412: 'The resource has changed since it was read; `details.current` is the current version',
  413: 'Too much for one request',
  422: 'A value is not acceptable; `details` names the fields',
  429: 'Too much at once; wait for `Retry-After` seconds',
  500: 'Something went wrong here; the request id is in the log',
  503: 'Not now; wait for `Retry-After` seconds',
};

/** Adds headers, and every refusal with an example, to the operations that the framework has collected. */
export function describeOperations(
  document: Document,
  routes: ReadonlyMap<string, RouteFacts>,
  accessOf: (route: RouteFacts) => AccessFacts,
): void {
  document.components.parameters = headerParameters;
  document.components.headers = responseHeaders;
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    const route = routes.get(operation.operationId);
    if (route === undefined) throw new Error(`${operation.operationId} is described without a route`);
    const access = accessOf(route);
    for (const parameter of operation.parameters ?? []) {
      if (isReference(parameter) || parameter.required || parameter.example === undefined) continue;
      parameter.examples = shownOnly(parameter.example);
      delete parameter.example;
    }
    addRequestHeaders(operation, route, access);
    const { '4XX': refused, '5XX': _failed, ...answers }: Record<string, Response> = operation.responses;
    for (const [status, answer] of Object.entries(answers)) completeAnswer(operation, route, status, answer);
    const shape = refused?.content?.['application/json']?.schema ?? (ProblemSchema as unknown as Schema);
    operation.responses = { ...answers, ...refusalResponses(route, shape, refusalsOf(route, access)) };
  }
}

const readsFields = ({ requestBody, parameters = [] }: Operation) =>
  requestBody !== undefined || parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');

function addRequestHeaders(operation: Operation, route: RouteFacts, access: AccessFacts): void {
  const headers = [
    ...(route.schema.takes ?? []),
    ...(access.takesOrganization ? (['x-organization-id'] as const) : []),
    ...(readsFields(operation) ? (['prefer'] as const) : []),
  ];
  if (headers.length === 0) return;
  operation.parameters = [...(operation.parameters ?? []), ...headers.map(refToRequestHeader)];
}

function completeAnswer(operation: Operation, route: RouteFacts, status: string, answer: Response): void {
  if (answer.description === 'Default Response') answer.description = ANSWERS[status] ?? 'Done';
  answer.headers = {
    ...answer.headers,
    ...refsToResponseHeaders([
      'x-request-id',
      ...(route.schema.takes?.includes('idempotency-key') ? (['Idempotency-Hit'] as const) : []),
      ...(route.schema.answersEtag === true ? (['ETag'] as const) : []),
      ...(readsFields(operation) ? (['X-Ignored-Fields'] as const) : []),
    ]),
  };
}

function refusalResponses(route: RouteFacts, schema: Schema, refusals: Problem[]): Record<string, Response> {
  const isLead = route.config.errorStyle === 'lead';
  return Object.fromEntries(
    [...Map.groupBy(refusals, ({ status }) => status)].map(([status, problems]) => {
      const bodies = problems.map((problem) =>
        isLead ? { data: null, message: problem.message, status } : problemBody(problem),
      );
      const headers = refsToResponseHeaders([
        'x-request-id',
        'X-Error-Reason',
        ...(status === 401 && problems.some((problem) => 'www-authenticate' in problem.headers)
          ? (['WWW-Authenticate'] as const)
          : []),
        ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ]);
      const media = { schema, ...namedExamples(problems, bodies) };
      const description = REFUSALS[status] ?? 'Refused';
      return [String(status), { description, headers, content: { 'application/json': media } }];
    }),
  );
}

/** Examples are named after their message. */
function namedExamples(problems: Problem[], bodies: object[]) {
  if (bodies.length === 1) return { example: bodies[0] };
  const examples: Record<string, { value: object }> = {};
  for (const [index, value] of bodies.entries()) {
    const words = (problems[index]?.message ?? '').toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const name = examples[words] === undefined ? words : `${words}-${index + 1}`;
    examples[name] = { value };
  }
  return { examples };
}
