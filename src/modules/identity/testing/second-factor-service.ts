import { beforeEach } from 'vitest';
import { call, type TestAccount, testAccount, testOrganization, testService } from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { codeOf, withSecondFactor } from './second-factor.ts';

export const STEP_MS = 30_000;

/** A service with an account per test, `at.person`, that the requests are sent as. */
export async function secondFactorService() {
  const clock = movableClock(new Date('2026-11-15T08:00:05Z'));
  const settings = { LOGIN_RATE_LIMIT_PER_MINUTE: '0', COMMERCIAL_REQUIRE_TOTP: 'true' };
  const service = await testService(settings, { clock });
  const shop = await testOrganization(service.sql);
  const at = {} as { person: TestAccount };
  beforeEach(async () => {
    at.person = await testAccount(service.sql, shop.id, 'member');
  });
  return {
    service,
    shop,
    clock,
    at,
    post: (path: string, body?: unknown, more: Parameters<typeof call>[2] = {}) =>
      call(service.baseUrl, `POST ${path}`, { token: at.person.token, body, ...more }),
    logIn: (code?: string, password = at.person.password) =>
      call(service.baseUrl, 'POST /auth/login', { body: { email: at.person.email, password, code } }),
    confirmed: () => withSecondFactor(service.baseUrl, at.person, clock),
    /** The code of the next step: the code of the current one may have been used. */
    nextCode(secret: string): string {
      clock.advanceMs(STEP_MS);
      return codeOf(secret, clock);
    },
  };
}
