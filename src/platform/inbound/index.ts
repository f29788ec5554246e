export type { InboundCall } from './call.ts';
export { MAX_JSON_VALUES, parseCountedJson, parseExactJson } from './exact-json.ts';
export { rawJsonValue, storableJson } from './raw-json.ts';
export { type Reader, readerOf } from './reader.ts';
export { bearerOf, findDecrypted, findJwtClaims, isBasic, isSameSecret, isSignedBy } from './signatures.ts';
export { findInstant, findUnixInstant, revisionOf } from './times.ts';
export { Unreadable } from './unreadable.ts';
