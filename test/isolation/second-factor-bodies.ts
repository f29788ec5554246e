import { codeOf, withSecondFactor } from '../../src/modules/identity/testing/second-factor.ts';
import { call, type TestAccount } from '../harness/index.ts';
import type { Aim } from './expectations.ts';

/** The body that a route of the second factor accepts from this account, after the steps that come before it. */
export async function authenticationFor(baseUrl: string, key: string, person: TestAccount): Promise<Aim> {
  if (key.endsWith('users/password-reset')) return { body: () => ({ email: person.email, reason: 'seen' }) };
  if (!key.includes('totp')) return {};
  const clock = { now: () => new Date() };
  const { email, password, token } = person;
  if (key.endsWith('enrol')) return { body: () => ({ password }) };
  if (key.endsWith('reset-totp')) {
    await withSecondFactor(baseUrl, person, clock);
    return { body: () => ({ email, reason: 'seen' }) };
  }
  if (key.endsWith('disable')) {
    const { recoveryCodes } = await withSecondFactor(baseUrl, person, clock);
    return { body: () => ({ password, code: recoveryCodes[0] }) };
  }
  const { secret } = (await call(baseUrl, 'POST /auth/totp/enrol', { token, body: { password } })).body;
  return { body: () => ({ code: codeOf(secret, clock) }) };
}
