import type { FastifyRequest } from 'fastify';
import { open } from '../modules/identity/index.ts';
import type { App } from '../platform/http/app.ts';
import type { FoundLogins } from './logins.ts';

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;
const ROLES = ['owner', 'member', 'viewer', 'branch_user'] as const;

/**
 * The logins of the demo for the sign-in page, to browsers on the same machine only: anyone who can read this can sign in. The Host
 * header is checked against DNS rebinding, and forwarded requests come from elsewhere. Others get an empty list and not a 404, which
 * browsers report as an error of the page.
 */
export function demoLoginRoute(app: App, findLogins: (() => Promise<FoundLogins | undefined>) | undefined): void {
  app.get('/demo/logins', { schema: { hide: true }, config: { access: open } }, async (request, reply) => {
    const found = findLogins !== undefined && isLocal(request) ? await findLogins() : undefined;
    reply.header('cache-control', 'no-store');
    return { data: found === undefined ? [] : shownLogins(found) } as never;
  });
}

function isLocal({ headers, raw }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return (
    !isForwarded && LOOPBACK_HOST.test(headers.host ?? '') && LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '')
  );
}

function shownLogins({ logins }: FoundLogins) {
  const [first] = logins.organizations;
  const people = first === undefined ? [] : ROLES.map((role) => ({ role, login: first[role] }));
  return [...people, { role: 'commercial', login: logins.commercial }].map(({ role, login }) => ({
    role,
    email: login.email,
    password: login.password,
  }));
}
