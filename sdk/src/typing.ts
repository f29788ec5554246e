import type { OPERATIONS } from './operations.gen.ts';
import type { components, operations } from './types.gen.ts';

/** Everything that the service can do, by name. */
export type OperationId = keyof typeof OPERATIONS & keyof operations;

/** The shapes of the service by name: `Schemas['CanonicalOrder']`. */
export type Schemas = components['schemas'];
export type EventType = Schemas['EventType'];
export type OrderEvent = Schemas['OrderEvent'];
export type TestEvent = operations['receiveTestEvent'] extends {
  requestBody: { content: { 'application/json': infer E } };
}
  ? E
  : never;
/** What a webhook carries. */
export type WebhookEvent = OrderEvent | TestEvent;

type Parameters<Id extends OperationId> = operations[Id] extends { parameters: infer P } ? P : never;
type Part<P, Name extends string> = Name extends keyof P ? Exclude<P[Name], undefined> : never;

export type PathOf<Id extends OperationId> = Part<Parameters<Id>, 'path'>;
export type QueryOf<Id extends OperationId> = Part<Parameters<Id>, 'query'>;

type Contents<Operation> = Operation extends { requestBody?: { content: infer C } } ? C : never;
type Sendable<C> =
  | (C extends { 'application/json': infer J } ? J : never)
  | (C extends { 'multipart/form-data': unknown } ? FormData : never)
  | (C extends { 'text/csv': unknown } ? string | Blob : never);
/** What is sent: JSON as an object; where files are taken, a `FormData` too. */
export type BodyOf<Id extends OperationId> = 'requestBody' extends keyof operations[Id]
  ? Sendable<Contents<operations[Id]>>
  : never;

type Body<Id extends OperationId> = [BodyOf<Id>] extends [never]
  ? { body?: never }
  : operations[Id] extends { requestBody: unknown }
    ? { body: BodyOf<Id> }
    : { body?: BodyOf<Id> };
type Path<Id extends OperationId> = [PathOf<Id>] extends [never] ? { path?: never } : { path: PathOf<Id> };
type Query<Id extends OperationId> = [QueryOf<Id>] extends [never] ? { query?: never } : { query?: Loose<QueryOf<Id>> };
/** Everything in an address is text in the end: a number may stand where a text is asked for. */
type Loose<Q> = { [Name in keyof Q]: string extends Exclude<Q[Name], undefined> ? Q[Name] | number : Q[Name] };

/** What goes with a single call whatever the operation. */
export type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** One of your own, where a repeat after a crash of your program has to be harmless too. */
  idempotencyKey?: string;
  /** How often this call is repeated; the client's own number otherwise. */
  retries?: number;
  /** For each attempt, the client's own otherwise. */
  timeoutMs?: number;
};

export type CallArguments<Id extends OperationId> = Path<Id> & Query<Id> & Body<Id> & CallOptions;

/** Operations that can be called without anything. */
export type BareId = {
  [Id in OperationId]: Record<never, never> extends CallArguments<Id> ? Id : never;
}[OperationId];

/** Operations with more than one form of answer, which `query.format` asks for. */
type FormattedId = { [Id in OperationId]: 'format' extends keyof QueryOf<Id> ? Id : never }[OperationId];
export type FormatOf<Id extends OperationId> = Id extends FormattedId ? string : never;
export type InFormat<Format extends string> = { query?: { format?: Format } };

type Responses<Id extends OperationId> = operations[Id] extends { responses: infer R } ? R : never;
type Content<R> = R extends { content: infer C } ? { [Kind in keyof C]: Decoded<Kind, C[Kind]> }[keyof C] : undefined;
type Decoded<Kind, Json> = Kind extends 'application/json'
  ? Json
  : Kind extends `text/${string}` | 'application/xml'
    ? string
    : Blob;

/** An answer of 202 belongs to `callLater`, except where it is the only one. */
type Direct<Id extends OperationId> = Content<
  Exclude<keyof Responses<Id>, 202> extends never
    ? Responses<Id>[keyof Responses<Id>]
    : Responses<Id>[Exclude<keyof Responses<Id>, 202>]
>;

/** Some operations answer in another form on request: orders as they are stored or canonical, an invoice as a row or XML. */
type Formed<Whole, Format extends string> = Format extends 'canonical'
  ? Exclude<Whole, { event_type: string }>
  : Format extends 'xml'
    ? Extract<Whole, string>
    : Plain<Whole>;
/** Unless asked for, orders are as stored, and an invoice is a row. */
type Plain<Whole> = [Extract<Whole, { event_type: string }>] extends [never]
  ? Exclude<Whole, string>
  : Extract<Whole, { event_type: string }>;

/** What a call answers: `Answer<'listProducts'>`, or in a format: `Answer<'listOrders', 'canonical'>`. */
export type Answer<Id extends OperationId, Format extends string = string> = Id extends FormattedId
  ? Formed<Direct<Id>, Format>
  : Direct<Id>;

/** Operations that can be queued. */
export type QueueableId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends `${string} ${string} ${string}a` ? Id : never;
}[OperationId];
export type Queued = Schemas['QueuedAnswer'];
export type Job = Answer<'getJob'>;

type Rows<A> = A extends { data: (infer R)[] }
  ? R
  : A extends { orders: (infer R)[] }
    ? R
    : A extends { items: (infer R)[] }
      ? R
      : A extends { events: (infer R)[] }
        ? R
        : A extends { leads: (infer R)[] }
          ? R
          : never;

/** A row of what an operation lists. */
export type Row<Id extends OperationId, Format extends string = string> = Rows<Answer<Id, Format>>;
/** Operations that list something. */
export type ListId = { [Id in OperationId]: [Row<Id>] extends [never] ? never : Id }[OperationId];
