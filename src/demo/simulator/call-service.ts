import type { App } from '../../platform/http/app.ts';

export type ServiceCall = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  token?: string;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
};

export type ServiceAnswer = { status: number; body: Record<string, unknown> };

/**
 * Calls a route of this process, with everything that a request over the network passes: authentication, validation, limits. Not over
 * the network, so that it works in a process that serves no API.
 */
export async function callService(
  app: App,
  { method, path, token, headers, body }: ServiceCall,
): Promise<ServiceAnswer> {
  const answer = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
}
