import type { Tx } from '../../../platform/database/index.ts';
import { conflict, Problem, unprocessable } from '../../../platform/http/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { auditUser } from '../audit-user.ts';
import type { Identity } from '../identity.ts';
import { passwordMatches } from '../passwords/passwords.ts';
import { findPasswordHash } from '../sql/accounts.ts';
import { confirmSecret, findSecondFactor, putSecret } from '../sql/second-factors.ts';
import { bareCode, newRecoveryCodes } from './recovery-codes.ts';
import { findStep, newTotpSecret, otpauthUrl } from './totp.ts';

type Self = { id: string; email: string; actor: Actor };

/**
 * Before the transaction. A session token that was stolen must not be enough to lock its owner out with a factor of the
 * thief's. Counted with the wrong passwords of logins, so that the token gives no further guesses.
 */
export async function requirePassword(
  { sql, passwordHashQueue, wrongPasswords }: Identity,
  self: { id: string; email: string; address: string },
  password: string,
): Promise<void> {
  const hash = await findPasswordHash(sql, self.id);
  const right = await wrongPasswords.judge(self.email, self.address, () =>
    passwordHashQueue.run(self.id, () => passwordMatches(password, hash ?? '')),
  );
  if (!right) throw unprocessable({ password: 'is wrong' });
}

/** Not required at login before it is confirmed, so that a user who loses the secret during enrolment is not locked out. */
export async function enrolTotp(tx: Tx, { box, clock }: Identity, self: Self) {
  const now = clock.now();
  const secret = newTotpSecret();
  if (!(await putSecret(tx, self.id, box.seal(secret), now))) throw confirmedAlready();
  await auditUser(tx, self.id, self.actor, { action: 'enrol', changedFields: ['totp'] }, now);
  return { secret, otpauth_url: otpauthUrl(secret, self.email) };
}

export type ShownCode = { secret: Buffer; step: number };

/**
 * Before the transaction. A refusal is a value: a repeat with the same Idempotency-Key finds the factor confirmed, and gets
 * its recovery codes all the same. Attempts are not counted, since the caller was shown the secret.
 */
export async function judgeFirstCode(
  { sql, box, clock }: Identity,
  userId: string,
  code: string,
): Promise<ShownCode | Problem> {
  const factor = await findSecondFactor(sql, userId);
  if (factor === undefined) return conflict('No second factor to confirm', { totp: 'enrol first' });
  if (factor.isConfirmed) return confirmedAlready();
  const step = findStep(box.open(factor.secret), bareCode(code), clock.now());
  return step === undefined ? unprocessable({ code: 'is wrong' }) : { secret: factor.secret, step };
}

/** The code that was shown counts as used: the next login takes the next one. */
export async function confirmTotp(tx: Tx, { clock }: Identity, self: Self, shown: ShownCode | Problem) {
  if (shown instanceof Problem) throw shown;
  const now = clock.now();
  const { codes, hashes } = newRecoveryCodes();
  if (!(await confirmSecret(tx, self.id, { ...shown, codeHashes: hashes, now }))) {
    throw conflict('Second factor was changed meanwhile', { totp: 'was changed by another request' });
  }
  await auditUser(tx, self.id, self.actor, { action: 'confirm', changedFields: ['totp'] }, now);
  return { recovery_codes: codes };
}

export function confirmedAlready(): Problem {
  return conflict('Second factor is enabled already', { totp: 'disable it first' });
}
