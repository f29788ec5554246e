import type { App } from '../../../platform/http/app.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, linkBaseOf, listOperators, resetLinkShape, userScope } from '../../identity/index.ts';
import { createUserReset } from './create-user-reset.ts';
import { resetMemberTotp } from './reset-member-totp.ts';
import * as docs from './user-route-docs.ts';

const MAX_OPERATORS = 500;

type UserOptions = { publicUrl: string | undefined; forgetUser(id: string): void };

export function userRoutes(app: App, platform: Platform, { publicUrl, forgetUser }: UserOptions): void {
  const { sql, clock, log, idempotentWrite } = platform;

  app.get('/commercial/operators', { config: { access: commercial }, schema: docs.listOperatorsDoc }, async () => {
    const items = await listOperators(sql, MAX_OPERATORS);
    return { items, total_items: items.length };
  });

  app.post(
    '/commercial/users/reset-totp',
    { config: { access: commercial }, schema: docs.resetUserTotpDoc },
    async (request, reply) => {
      const { email, reason } = request.body;
      const actor = actorOf(request);
      let resetId: string | undefined;
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const { userId } = await resetMemberTotp(tx, actor, { email, reason }, clock.now());
        resetId = userId;
        return { status: 200, body: { user_id: userId, email, has_second_factor: false } };
      });
      if (resetId !== undefined) {
        // Audit entries hold no values, so the reason is logged.
        log.info({ userId: resetId, by: actor.name, reason }, 'the second factor of an account was reset');
        forgetUser(resetId);
      }
      return sent;
    },
  );

  app.post(
    '/commercial/users/password-reset',
    { config: { access: commercial }, schema: docs.createUserResetDoc },
    async (request, reply) => {
      const { email, reason } = request.body;
      const actor = actorOf(request);
      const base = linkBaseOf(request, publicUrl);
      return idempotentWrite(request, reply, userScope(request), async (tx) => {
        const { userId, ...made } = await createUserReset(tx, actor, { email, reason }, clock.now());
        // Audit entries hold no values, so the reason is logged.
        log.info({ userId, by: actor.name, reason }, 'a password reset link was created');
        return { status: 201, body: resetLinkShape(base, made) };
      });
    },
  );
}
