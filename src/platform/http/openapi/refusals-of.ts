import type { ErrorObject } from 'ajv';
import type { FastifyContextConfig, FastifySchema, FastifySchemaCompiler } from 'fastify';
import { badRequest, Problem, tooLarge, tooManyRequests, unavailable, unprocessable } from '../problem.ts';
import { compileValidator, fieldErrors } from '../validation.ts';
import type { RequestHeader } from './headers.ts';

/** A route's own declarations. */
export type RouteFacts = {
  schema: FastifySchema;
  config: FastifyContextConfig;
  validatorCompiler?: FastifySchemaCompiler<object> | undefined;
};

/** What follows from who may call a route. */
export type AccessFacts = { refusals: readonly Problem[]; takesOrganization: boolean; hasShare: boolean };

type ObjectSchema = { properties?: Record<string, unknown>; required?: string[] };

/**
 * All refusals of a route: its own first, then those of its access, headers, parameters and body. Those of parameters and body are
 * produced by the route's own validator from an invalid request, so that they read like real ones.
 */
export function refusalsOf(route: RouteFacts, access: AccessFacts): Problem[] {
  const own = route.schema.refuses ?? [];
  const isOwn = (status: number) => own.some((problem) => problem.status === status);
  const derived = [
    ...access.refusals,
    ...ofAddress(route),
    ...ofBody(route),
    ...ofHeaders(route.schema.takes ?? [], access),
    ...(access.hasShare && !isOwn(429) ? [tooManyRequests(500, 1_000)] : []),
    ...(route.config.isProbe || isOwn(500)
      ? []
      : [new Problem(500, 'Internal error', { request_id: 'req-4f7k2a-1c' })]),
    unavailable(route.config.isProbe ? 'The service is stopping' : 'The database cannot be reached'),
  ];
  return [...own, ...derived].sort((one, other) => one.status - other.status);
}

function ofAddress(route: RouteFacts): Problem[] {
  const query = route.schema.querystring as ObjectSchema | undefined;
  const errors = query && firstErrors(route, 'querystring', query);
  if (errors !== undefined) return [badRequest(errors, 'Invalid request parameters')];
  return [badRequest('The address holds a NUL character')];
}

function ofBody(route: RouteFacts): Problem[] {
  const body = jsonSchemaOf(route.schema.body);
  if (body === undefined) return [];
  const errors = firstErrors(route, 'body', body);
  const refuse = route.config.invalidBodyStatus === 400 ? badRequest : unprocessable;
  return [
    badRequest('The request body is not valid JSON', 'Malformed JSON'),
    tooLarge('The request body is too large'),
    ...(errors === undefined ? [] : [refuse(errors, 'Validation failed')]),
  ];
}

function ofHeaders(takes: readonly RequestHeader[], { hasShare }: AccessFacts): Problem[] {
  if (!takes.includes('idempotency-key')) return [];
  const badKey = badRequest({ 'Idempotency-Key': 'must be 1 to 255 printable characters' });
  const reused = unprocessable({ 'Idempotency-Key': 'was used before with another request' }, 'Idempotency key reused');
  // On public routes the body is part of the key's scope, so another body is another request.
  return hasShare ? [badKey, reused] : [badKey];
}

function jsonSchemaOf(body: unknown): ObjectSchema | undefined {
  const forms = (body as { content?: Record<string, { schema: ObjectSchema }> } | undefined)?.content;
  return forms === undefined ? (body as ObjectSchema | undefined) : forms['application/json']?.schema;
}

/** Errors of the route's validator for an empty object, or else for one field with an invalid list. */
function firstErrors(route: RouteFacts, httpPart: string, schema: ObjectSchema): Record<string, string> | undefined {
  const compile = route.validatorCompiler ?? (compileValidator as FastifySchemaCompiler<object>);
  const check = compile({ schema, method: '', url: '', httpPart }) as { (value: unknown): boolean; errors?: unknown };
  const nonsense = Object.keys(schema.properties ?? {}).map((name) => ({ [name]: [{ not: 'this' }] }));
  for (const wrong of [{}, ...nonsense]) {
    if (check(wrong)) continue;
    return fieldErrors((check.errors ?? []) as ErrorObject[]);
  }
  return undefined;
}
