import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Access } from '../gate/access.ts';
import { notAuthenticated } from '../gate/not-authenticated.ts';
import { tenantOf } from '../principal.ts';
import { holdOpenGrant } from '../sql/support-grants.ts';
import type { SupportAccess } from './policy.ts';

const MAX_ID_CHARACTERS = 255;

/**
 * Every write and export of a support token is in the organization's audit log before it runs, also where the module records nothing of its
 * own (orders have a timeline without authors). The grant is read from the database in the same transaction, not from the gate's
 * memory, which may be a second old. A write of anyone else passes without a promise.
 */
export function createSupportRecorder({ sql, clock }: { sql: Sql; clock: Clock }) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const support = request.principal?.support;
    const { access } = request.routeOptions.config;
    if (support === undefined || access?.kind !== 'tenant') {
      done();
      return;
    }
    record(sql, clock, request, support, access).then(() => done(), done);
  };
}

async function record(
  sql: Sql,
  clock: Clock,
  request: FastifyRequest,
  support: SupportAccess,
  access: Extract<Access, { kind: 'tenant' }>,
): Promise<void> {
  const { organizationId, actor } = tenantOf(request);
  const { operationId = request.routeOptions.url ?? '' } = request.routeOptions.schema ?? {};
  const [target = operationId] = Object.values((request.params ?? {}) as Record<string, string>);
  const now = clock.now();
  await inTransaction(sql, async (tx) => {
    const grant = await holdOpenGrant(tx, organizationId, now);
    if (grant?.id !== support.grantId) throw notAuthenticated(access, 'a support token whose access has ended');
    const entry = {
      action: 'support-action',
      resource: access.resource ?? 'Settings',
      resourceId: target.slice(0, MAX_ID_CHARACTERS),
      changedFields: [operationId],
    };
    await recordAudit(tx, organizationId, actor, [entry], now);
  });
}
