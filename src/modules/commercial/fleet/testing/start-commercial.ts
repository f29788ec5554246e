import { expect } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  testOrganization,
  testService,
} from '../../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../../platform/clock.ts';

/** A service with an operator account, in a March with no months charged yet. */
export async function startCommercial() {
  const clock = movableClock(new Date('2026-03-10T09:00:00Z'));
  const service = await testService({}, { clock });
  const { sql } = service;
  const operator = await commercialAccount(sql);
  const merchant = (await testOrganization(sql)).owner;
  const check = await publishedAnswers(service.baseUrl);

  /** Calls as the operator and validates every response against the API description. */
  async function ask(target: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await call(service.baseUrl, target, { token: operator.token, body, headers });
    expect(check(target, reply)).toEqual([]);
    return reply;
  }

  async function got(target: string): Promise<ReplyBody> {
    const reply = await ask(target);
    expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    return reply.body;
  }

  return { service, sql, clock, fleet: { sql, clock }, operator, merchant, check, ask, got };
}
