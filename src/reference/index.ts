import { readFileSync } from 'node:fs';
import { type Access, describeAccess, open } from '../modules/identity/index.ts';
import { pushedEvents } from '../modules/webhooks/index.ts';
import type { ApiReference } from '../platform/http/openapi.ts';

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token as `Authorization: Bearer <token>`: the access token of a login (a JWT, good for an hour) or a session token made for ' +
      'a program (`dks_...`). It stands for an account; what the account may do in the organization decides the rest.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A key of the organization (`dkk_...`), for the routes that name it. It needs no organization header.',
  },
};

/** What the description of the API says beside what the routes say of themselves. */
export function apiReference(tags: ApiReference['tags']): ApiReference {
  return {
    introduction: readFileSync(new URL('./introduction.md', import.meta.url), 'utf8'),
    tags,
    securitySchemes,
    webhooks: pushedEvents,
    accessOf: ({ access = open }: { access?: Access }) => describeAccess(access),
  };
}
