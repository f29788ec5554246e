import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** How a refusal is written: the guide's body, or the one that the lead routes use. */
export type ErrorStyle = 'guide' | 'lead';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorStyle?: ErrorStyle;
    /** Status of a body that fails its schema; 422 unless the route says otherwise. */
    invalidBodyStatus?: 400 | 422;
    /** Requests that stay open by design (long polls, streams) do not count against the overload cap. */
    staysOpen?: boolean;
    /** Asks whether the service is well. Answered also when strangers have used up their share. */
    isProbe?: boolean;
  }
}
