import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Tx } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { conflict, tooManyRequests, unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { callerNetwork } from '../caller-network.ts';
import { signedIn } from '../gate/access.ts';
import { requireLiveToken } from '../gate/require-live-token.ts';
import type { Identity } from '../identity.ts';
import { TRIES_PER_ADDRESS, WINDOW_MS } from '../passwords/wrong-passwords.ts';
import { actorOf, principalOf, userOf, userScope } from '../principal.ts';
import * as shapes from '../schema.ts';
import { disableTotp, notEnabled } from './disable-totp.ts';
import { confirmedAlready, confirmTotp, enrolTotp, judgeFirstCode, requirePassword } from './enrol-totp.ts';
import { MAX_TRIES, TRIES_WINDOW_MS } from './verify-second-factor.ts';

const tags = ['Identity'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function totpRoutes(
  app: App,
  { idempotentWrite }: Platform,
  identity: Identity,
  rateLimit: { max: number; timeWindow: number } | false,
): void {
  app.post(
    '/auth/totp/enrol',
    {
      config: { access: signedIn, rateLimit },
      // Without a body the password is missing like any other field: 422, not 400.
      preValidation: (request, _reply, done) => {
        request.body ??= {} as never;
        done();
      },
      schema: {
        tags,
        operationId: 'enrolTotp',
        summary: 'Begin with a second factor: a secret for an authenticator app',
        description:
          'Asks for the password of the account: 422 when it is wrong, which counts like a wrong password at a login. ' +
          'Nothing asks for codes before the first one was confirmed; until then enrolling again replaces the secret. ' +
          '409 once it is confirmed.',
        takes: ['idempotency-key'],
        refuses: [
          confirmedAlready(),
          unprocessable({ password: 'is wrong' }),
          tooManyRequests(TRIES_PER_ADDRESS, WINDOW_MS),
        ],
        body: shapes.TotpEnrolmentBody,
        response: { 200: shapes.TotpSecret, ...refusals },
      },
    },
    async (request, reply) => {
      const self = { ...selfOf(request), address: callerNetwork(request.ip) };
      await requirePassword(identity, self, request.body.password);
      const enrol = async (tx: Tx) => {
        await requireLiveToken(tx, principalOf(request));
        return { status: 200, body: await enrolTotp(tx, identity, self) };
      };
      // The password was checked, and is no part of what is stored with the key: its fingerprint is a fast hash.
      return idempotentWrite(request, reply, userScope(request), enrol, {});
    },
  );

  app.post(
    '/auth/totp/confirm',
    {
      config: { access: signedIn, rateLimit },
      schema: {
        tags,
        operationId: 'confirmTotp',
        summary: 'Show a first code; from then on a login asks for one. Answers the recovery codes, this once',
        description:
          'RFC 6238 with SHA-1, six digits and 30 seconds, one step either side. The code counts as used. 422 when it is ' +
          'wrong, 409 when nothing waits to be confirmed.',
        takes: ['idempotency-key'],
        refuses: [
          conflict('No second factor to confirm', { totp: 'enrol first' }),
          tooManyRequests(MAX_TRIES, TRIES_WINDOW_MS),
        ],
        body: shapes.TotpCodeBody,
        response: { 200: shapes.RecoveryCodes, ...refusals },
      },
    },
    async (request, reply) => {
      const shown = await judgeFirstCode(identity, userOf(request).id, request.body.code);
      const answer = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        await requireLiveToken(tx, principalOf(request));
        return { status: 200, body: await confirmTotp(tx, identity, selfOf(request), shown) };
      });
      identity.cache.forget([userOf(request).id]);
      return answer;
    },
  );

  app.post(
    '/auth/totp/disable',
    {
      config: { access: signedIn, rateLimit },
      schema: {
        tags,
        operationId: 'disableTotp',
        summary: 'Take the second factor away, with the password and a code',
        description:
          'A recovery code will do in place of the code. 422 when one is wrong, 409 when there is no factor.',
        refuses: [notEnabled(), tooManyRequests(MAX_TRIES, TRIES_WINDOW_MS)],
        body: shapes.DisableTotpBody,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const self = { ...selfOf(request), address: callerNetwork(request.ip) };
      await disableTotp(identity, principalOf(request), self, request.body);
      return reply.code(204).send(null);
    },
  );
}

function selfOf(request: FastifyRequest) {
  const { id, email } = userOf(request);
  return { id, email, actor: actorOf(request) };
}
