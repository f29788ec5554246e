import { expect } from 'vitest';
import { call, type TestOrganization, testService } from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

/** A service whose answers are compared with the API description, and invitations to it. */
export async function invitationService() {
  const clock = movableClock(new Date());
  const service = await testService({}, { clock });
  const check = await publishedAnswers(service.baseUrl);

  async function ask(target: string, body?: unknown, token?: string) {
    const reply = await call(service.baseUrl, target, { token, body });
    expect(check(target, reply)).toEqual([]);
    return reply;
  }

  return {
    service,
    sql: service.sql,
    clock,
    ask,
    statusOf: async (target: string, body: unknown) => (await ask(target, body)).status,
    async invite(shop: TestOrganization, fields: object = {}) {
      const body = { email: `Guest-${newId()}@Tests.Example`, role: 'member', ...fields };
      const made = await ask('POST /members', body, shop.owner.token);
      expect(made.status).toBe(201);
      return { ...made.body.data, token: made.body.data.invite_url.split('#token=')[1] };
    },
  };
}
