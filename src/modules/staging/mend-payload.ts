import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { parseExactJson, Unreadable } from '../../platform/inbound/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { stagedNotFound } from './manage-staged.ts';
import { lockStaged, replacePayload, type StagedKey } from './sql/log.ts';
import type { StagedPayload, StagingStatus } from './staged-payload.ts';

/** Takes the text and not parsed JSON, so that long numbers keep their digits. What the vendor sent stays beside it. */
export async function mendPayload(
  sql: Sql,
  key: StagedKey,
  text: string,
  actor: Actor,
  now: Date,
): Promise<StagedPayload> {
  const payload = Buffer.from(text, 'utf8');
  requireJson(payload);
  return inTransaction(sql, async (tx) => {
    const staged = isId(key.id) ? await lockStaged(tx, key) : undefined;
    if (staged === undefined) throw stagedNotFound(key.id);
    if (staged.status !== 'failed') throw notFailed(key.id, staged.status);
    await replacePayload(tx, staged, { payload, by: actor.name, now });
    const entry = { action: 'update', resource: 'Apps', resourceId: staged.id, changedFields: ['payload'] };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return staged;
  });
}

function requireJson(payload: Buffer): void {
  try {
    parseExactJson(payload);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw notJson();
  }
}

export function notJson(): Problem {
  return unprocessable({ payload: 'must be JSON' });
}

export function notFailed(id: string, status: StagingStatus): Problem {
  return conflict('Only a failed payload can be changed', { id, status });
}
