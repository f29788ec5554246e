import type { Platform } from '../../platform/platform.ts';
import { dropApiKeys } from './sql/api-keys.ts';
import { dropOldChanges } from './sql/changes.ts';
import { dropInvitations } from './sql/invitations.ts';
import { dropPasswordResets } from './sql/password-resets.ts';
import { dropGrants } from './sql/support-grants.ts';
import { dropRequests } from './sql/support-requests.ts';
import { dropLoginSessions, dropSessionTokens } from './sql/tokens.ts';

const DAY_MS = 86_400_000;
/** An expired login is kept this much longer, so that the credentials check can report its last tokens as ended. */
const LOGIN_GRACE_MS = 7 * DAY_MS;
/** For this long a token that has ended still stands in its owner's list. */
const ENDED_KEPT_MS = 90 * DAY_MS;
/** As long as the audit entries of what was done under it. */
const SUPPORT_KEPT_MS = 400 * DAY_MS;
const CHANGES_KEPT = 10_000;
const BATCH = 500;

/** In small batches, so that no request waits long for a row. */
export async function forgetOldTokens(
  { sql, clock }: Pick<Platform, 'sql' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  const drops = [
    () => dropLoginSessions(sql, before(LOGIN_GRACE_MS), BATCH),
    () => dropSessionTokens(sql, before(ENDED_KEPT_MS), BATCH),
    () => dropApiKeys(sql, before(ENDED_KEPT_MS), BATCH),
    () => dropInvitations(sql, before(ENDED_KEPT_MS), BATCH),
    () => dropPasswordResets(sql, before(ENDED_KEPT_MS), BATCH),
    () => dropGrants(sql, before(SUPPORT_KEPT_MS), BATCH),
    () => dropRequests(sql, before(SUPPORT_KEPT_MS), BATCH),
  ];
  for (const drop of drops) {
    do signal.throwIfAborted();
    while ((await drop()) === BATCH);
  }
  await dropOldChanges(sql, CHANGES_KEPT);
}
