export { type ChangesOptions, rawBodyOf } from './changes.ts';
export { createDukkan, type Dukkan } from './client.ts';
export { DukkanError, type ErrorDetails } from './error.ts';
export { EVENT_TYPES, OPERATIONS } from './operations.gen.ts';
export type { DukkanOptions, FullAnswer, RawRequest, TokenSource } from './transport.ts';
export type { components, operations } from './types.gen.ts';
export type {
  Answer,
  BodyOf,
  CallArguments,
  CallOptions,
  EventType,
  Job,
  ListId,
  OperationId,
  OrderEvent,
  PathOf,
  QueryOf,
  Queued,
  Row,
  Schemas,
  TestEvent,
  WebhookEvent,
} from './typing.ts';
export { signWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhook.ts';
