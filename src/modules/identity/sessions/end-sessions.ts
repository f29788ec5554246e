import { inTransaction } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import { auditUser } from '../audit-user.ts';
import type { Identity } from '../identity.ts';
import { endLoginSessions } from '../sql/login-sessions.ts';
import { lockUser } from '../sql/password-resets.ts';

type Caller = { userId: string; actor: Actor };

/** Only a session of the caller: not even an owner of the organization ends one of another member. */
export async function endSession(identity: Identity, caller: Caller, id: string): Promise<void> {
  const ended = isId(id) ? await end(identity, caller, { id: id.toLowerCase() }) : [];
  if (ended.length === 0) throw sessionNotFound(id);
}

/** `current` stays. A caller with a session token has no login of its own, so all of them end. */
export async function endOtherSessions(identity: Identity, caller: Caller, current: string | null): Promise<void> {
  await end(identity, caller, { except: current });
}

/** The user comes before the tokens, as everywhere. */
async function end(
  { sql, clock, cache }: Identity,
  { userId, actor }: Caller,
  which: { id: string } | { except: string | null },
): Promise<string[]> {
  const now = clock.now();
  const ended = await inTransaction(sql, async (tx) => {
    await lockUser(tx, userId);
    const ids = await endLoginSessions(tx, userId, which, now);
    if (ids.length > 0) await auditUser(tx, userId, actor, { action: 'revoke', changedFields: ['sessions'] }, now);
    return ids;
  });
  cache.forget(ended);
  return ended;
}

export function sessionNotFound(id: string): Problem {
  return notFound('Session not found', { id });
}
