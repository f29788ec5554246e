import { expect } from 'vitest';
import { type Call, commercialAccount, testShop } from '../../../../../test/harness/index.ts';

export const BASE = '/commercial/billable-services';

/** A service with an operator account and a shop, and functions that create billable services and installs. */
export async function startBillableServices() {
  const { service, shop, ask } = await testShop();
  const { sql } = service;
  const operator = await commercialAccount(sql);
  let services = 0;

  const asked = (target: string, options: Call = {}) => ask(target, { token: operator.token, ...options });

  async function newService(fields: Record<string, unknown> = {}) {
    services += 1;
    const { status, text, body } = await asked(`POST ${BASE}`, {
      body: { code: `S-${services}`, name_en: 'Sync', price_sar: 10.5, ...fields },
    });
    expect(status, text).toBe(201);
    return body;
  }

  async function install(token = shop.owner.token): Promise<string> {
    const { body } = await ask('POST /apps', {
      token,
      body: { app_slug: 'generic', settings: { webhook_secret: 's' } },
    });
    return body.data.id;
  }

  const auditOf = (resourceId: string) => sql`
    select organization_id, actor_kind, action, resource, changed_fields from audit_entries
    where resource_id = ${resourceId} order by id`;

  return { service, sql, shop, operator, ask, asked, newService, install, auditOf };
}
