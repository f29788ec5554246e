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

/** How a refusal is written: the guide's body, or the one that the lead routes use. */
export type ErrorStyle = 'guide' | 'lead';

declare module 'fastify' {
  interface FastifyContextConfig {
    errorStyle?: ErrorStyle;
    /** Status of a body that fails its schema; 422 unless the route says otherwise. */
    invalidBodyStatus?: 400 | 422;
    /** A schema with the names a body may hold, where the one it is checked against says less: see unknown-names.ts. */
    bodyNames?: object;
    bulk?: BulkNames;
    /** The route says by itself what is missing of a body that holds nothing it knows; the words are its interface. */
    refusesEmptyBodies?: boolean;
    /** The body is bytes of whatever type, and body and query may hold any name: what a stranger's system sends. */
    takesRawBody?: boolean;
    /** Put there when the route is registered. */
    names?: RouteNames;
    /** The content types it takes, likewise. */
    accepts?: readonly string[];
    /** Requests that stay open by design (long polls, streams) do not count against the overload cap. */
    staysOpen?: boolean;
    /** Asks whether the service is well. Answered also when strangers have used up their share. */
    isProbe?: boolean;
  }
}
