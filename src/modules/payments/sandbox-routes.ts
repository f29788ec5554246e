import type { FastifyReply, FastifyRequest } from 'fastify';
import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import { conflict, notFound } from '../../platform/http/problem.ts';
import { open } from '../identity/index.ts';
import { authorisePayment, findOpenPage } from './authorise-sandbox.ts';
import type { PaymentContext } from './payment-context.ts';
import { returnPath } from './return-path.ts';
import { notFoundPage, PAGE_HEADERS, sandboxPage, thanksPage } from './sandbox-page.ts';

const perMinute = { max: 120, timeWindow: 60_000 };

/**
 * Pages for customers that a real provider serves from its own host. They are not part of the OpenAPI document; the demo
 * guide describes them.
 */
export function sandboxRoutes(app: App, payments: PaymentContext): void {
  const { clock } = payments;
  const schema = { hide: true } as const;
  const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') === true;
  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token;

  app.get(returnPath.replace('/api/v1', ''), { config: { access: open }, schema }, (_request, reply) =>
    (reply as unknown as FastifyReply).headers(PAGE_HEADERS).send(thanksPage),
  );

  app.route({
    method: 'GET',
    url: '/sandbox/paylinks/:token',
    config: { access: open, rateLimit: perMinute },
    schema,
    async handler(request, reply) {
      const found = await findOpenPage(payments, tokenOf(request));
      const page = reply.headers(PAGE_HEADERS) as FastifyReply;
      return found === undefined ? page.code(404).send(notFoundPage) : page.send(sandboxPage(found));
    },
  });

  app.route({
    method: 'POST',
    url: '/sandbox/paylinks/:token',
    // A browser form sends its own content type and an empty body.
    bodyLimit: 1024,
    config: { access: open, rateLimit: perMinute, takesRawBody: true },
    schema,
    async handler(request, reply) {
      const token = tokenOf(request);
      const outcome = await notifyAfterCommit(payments.ordering.outbox, () =>
        inTransaction(payments.sql, (tx) => authorisePayment(tx, payments, token)),
      );
      if (wantsPage(request)) {
        const page = reply.headers(PAGE_HEADERS) as FastifyReply;
        if (outcome === undefined) return page.code(404).send(notFoundPage);
        return page.code(outcome.isAuthorised ? 200 : 409).send(sandboxPage(outcome.payment));
      }
      if (outcome === undefined) throw notFound('Paylink not found', { token: 'is not known' });
      const { status } = outcome.payment;
      if (!outcome.isAuthorised) throw conflict('Paylink state does not allow this', { status, wanted: 'authorise' });
      return reply.send(mutationEnvelope(clock, 'Payment authorised', { status }));
    },
  });
}
