import { expect } from 'vitest';
import {
  type Call,
  call,
  commercialAccount,
  type TestOrganization,
  type TestService,
  testOrganization,
} from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';

/** Requests of support access, each answer held against the published description. */
export async function supportDesk(service: TestService) {
  const check = await publishedAnswers(service.baseUrl);
  const ask = async (target: string, token: string | undefined, options: Call = {}) => {
    const reply = await call(service.baseUrl, target, { ...options, ...(token === undefined ? {} : { token }) });
    expect(check(target, reply), reply.text).toEqual([]);
    return { status: reply.status, reason: reply.headers.get('x-error-reason'), body: reply.body };
  };
  const at = (organizationId: string, path: string) => `/commercial/organizations/${organizationId}/${path}`;
  return {
    ask,
    at,
    grant: (shop: TestOrganization, body: object = {}) =>
      ask('POST /organization/support-grants', shop.owner.token, {
        body: { scope: 'read', duration_hours: 8, ...body },
      }),
    end: (shop: TestOrganization) => ask('DELETE /organization/support-access', shop.owner.token),
    request: (shop: Pick<TestOrganization, 'id'>, token: string, body: object = {}) =>
      ask(`POST ${at(shop.id, 'support-request')}`, token, {
        body: { scope: 'read', reason: 'The last sync failed', ...body },
      }),
    /** An organization with an open grant, and the support token of an operator for it. */
    async visit(scope: 'read' | 'full') {
      const shop = await testOrganization(service.sql);
      const operator = await commercialAccount(service.sql);
      const granted = await ask('POST /organization/support-grants', shop.owner.token, {
        body: { scope, duration_hours: 8 },
      });
      expect(granted.status).toBe(201);
      const opened = await ask(`PUT ${at(shop.id, 'support-session')}`, operator.token);
      expect(opened.status).toBe(200);
      return { shop, operator, grantId: granted.body.data.id as string, token: opened.body.access_token as string };
    },
    async actionsOf(shop: TestOrganization): Promise<string[]> {
      const rows = await service.sql<{ action: string }[]>`
        select action from audit_entries where organization_id = ${shop.id} order by at, id`;
      return rows.map(({ action }) => action);
    },
  };
}
