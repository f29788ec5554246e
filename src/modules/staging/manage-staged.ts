import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { conflict, notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { isInstalled } from '../apps/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { firstStageOf } from './first-stage.ts';
import { deleteStaged, findStagedInstall, lockStaged, queueAgain, type StagedKey } from './sql/log.ts';
import type { StagedPayload } from './staged-payload.ts';

export function retryStaged(sql: Sql, key: StagedKey, actor: Actor, now: Date): Promise<StagedPayload> {
  return inTransaction(sql, async (tx) => {
    // The install is locked before the payload, in the order in which a removal locks them.
    const installId = isId(key.id) ? await findStagedInstall(tx, key) : undefined;
    if (installId === undefined) throw stagedNotFound(key.id);
    if (!(await isInstalled(tx, key.organizationId, installId))) throw notInstalled(installId);
    const staged = await lockStaged(tx, key);
    if (staged === undefined) throw stagedNotFound(key.id);
    await queueAgain(tx, staged, firstStageOf(staged.app_slug), now);
    const entry = { action: 'retry', resource: 'Apps', resourceId: staged.id };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return { ...staged, status: 'pending', outcome: '', attempts: 0, error_code: null, processed_at: null };
  });
}

export function removeStaged(sql: Sql, key: StagedKey, actor: Actor, now: Date): Promise<StagedPayload> {
  return inTransaction(sql, async (tx) => {
    const staged = isId(key.id) ? await lockStaged(tx, key) : undefined;
    if (staged === undefined) throw stagedNotFound(key.id);
    await deleteStaged(tx, staged);
    const entry = { action: 'delete', resource: 'Apps', resourceId: staged.id };
    await recordAudit(tx, key.organizationId, actor, [entry], now);
    return staged;
  });
}

/** Its removal dropped the pending payloads: this one would never be processed. */
export function notInstalled(installId: string) {
  return conflict('App not installed', { organization_app_id: installId });
}

export function stagedNotFound(id: string) {
  return notFound('Staged payload not found', { id });
}
