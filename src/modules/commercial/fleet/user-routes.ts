import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, nothingToReset, userScope } from '../../identity/index.ts';
import { ofAnOperator, resetMemberTotp, userNotFound } from './reset-member-totp.ts';
import * as shapes from './users-schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function userRoutes(app: App, platform: Platform, { forgetUser }: { forgetUser(id: string): void }): void {
  const { clock, log, idempotentWrite } = platform;

  app.post(
    '/commercial/users/reset-totp',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'resetUserTotp',
        summary: "Remove a member's second factor",
        description:
          'For a telephone that is lost, or a factor that somebody else has enrolled. Every login and session token of the ' +
          'account ends; the password and API keys stay. Recorded in the audit of each of its organizations. 404 for an ' +
          'address without an account, 409 when it has no second factor, 422 for an account of the operator, which is ' +
          'reset at the command line.',
        takes: ['idempotency-key'],
        refuses: [userNotFound('noura@example.com'), nothingToReset(), ofAnOperator()],
        body: shapes.TotpResetBody,
        response: { 200: shapes.TotpResetAnswer, ...refusals },
      },
    },
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
        // The audit keeps no values, so the reason is kept here.
        log.info({ userId: resetId, by: actor.name, reason }, 'the second factor of an account was reset');
        forgetUser(resetId);
      }
      return sent;
    },
  );
}
