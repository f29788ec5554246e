export {
  type Actor,
  type AuditEntry,
  type Author,
  BEFORE_THE_RECORD,
  type Change,
  changedFields,
  OPERATOR_SCOPE,
  SYSTEM_ACTOR,
  updateEntries,
} from './entry.ts';
export { entryShape } from './entry-shape.ts';
export { forgetOldEntries } from './forget-old-entries.ts';
export { listOperatorAudit } from './list-operator-audit.ts';
export { recordAudit } from './record-audit.ts';
export { auditRoutes } from './routes.ts';
export { AuditEntryShape } from './schema.ts';
