import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { BulkNames, RouteNames } from './unknown-names.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The body of a refusal: the guide's, or the one of the lead routes. */
export type ErrorStyle = 'guide' | 'lead';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorStyle?: ErrorStyle;
    /** Status of a body that fails its schema; 422 unless the route says otherwise. */
    invalidBodyStatus?: 400 | 422;
    /** A schema with the names a body may hold, where the validating schema declares fewer: see unknown-names.ts. */
    bodyNames?: object;
    bulk?: BulkNames;
    /** The route itself refuses a body without known fields; its messages are part of the interface. */
    refusesEmptyBodies?: boolean;
    /** The body is passed on as bytes of any type, and body and query may hold any name: for webhooks of other systems. */
    takesRawBody?: boolean;
    /** Set when the route is registered. */
    names?: RouteNames;
    /** Accepted content types; set when the route is registered. */
    accepts?: readonly string[];
    /** Requests that stay open by design (long polls, streams) do not count against the overload cap. */
    staysOpen?: boolean;
    /** A health check. Answered also when unauthenticated clients have used up their share. */
    isProbe?: boolean;
  }
}
