import { expect } from 'vitest';
import { call, type TestOrganization, testService } from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

export const invitee = () => `Guest-${newId()}@Tests.Example`;

/** Two nodes on one database, and what tests of a team ask of them; every answer is held against what is published. */
export async function testTeam() {
  const clock = movableClock(new Date());
  const service = await testService({}, { clock });
  const { sql } = service;
  const database = { url: service.databaseUrl, sql };
  const secondNode = await testService({ DUKKAN_ROLES: 'api', TRUST_PROXY: 'loopback' }, { clock, database });
  const check = await publishedAnswers(service.baseUrl);

  async function ask(target: string, token: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await call(service.baseUrl, target, { token, body, headers });
    expect(check(target, reply)).toEqual([]);
    return reply;
  }

  /** Asks, and is refused: the status and what is said of it. */
  async function refused(target: string, token: string, body?: unknown): Promise<[number, unknown]> {
    const { status, body: problem } = await ask(target, token, body);
    expect(problem.code).toBe(status);
    return [status, problem.details];
  }

  const invite = (shop: TestOrganization, fields: object = {}) =>
    ask('POST /members', shop.owner.token, { email: invitee(), role: 'member', ...fields });
  const memberOf = async (shop: TestOrganization, userId: string): Promise<string> =>
    (
      await sql<{ id: string }[]>`select id from memberships where organization_id = ${shop.id} and user_id = ${userId}`
    )[0]?.id ?? '';
  const rolesOf = async (shop: TestOrganization): Promise<string[]> =>
    (await sql<{ role: string }[]>`select role from memberships where organization_id = ${shop.id} order by role`).map(
      ({ role }) => role,
    );
  const auditOf = (shop: TestOrganization) => sql`
    select actor_kind, actor_id, action, resource, resource_id, changed_fields, ip, request_id
    from audit_entries where organization_id = ${shop.id} order by id`;
  async function branchOf(shop: TestOrganization, ivId: string): Promise<void> {
    const made = await call(service.baseUrl, 'POST /branches', { token: shop.owner.token, body: { iv_id: ivId } });
    expect(made.status).toBe(201);
  }

  return { clock, service, sql, secondNode, ask, refused, invite, memberOf, rolesOf, auditOf, branchOf };
}
