export { type Actor, type AuditEntry, SYSTEM_ACTOR } from './entry.ts';
export { recordAudit } from './record-audit.ts';
