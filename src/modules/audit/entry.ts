/** Who did it. `id` and `name` say who within the kind; `ip` and `requestId` are empty where no request was involved. */
export type Actor = {
  kind: 'user' | 'api_key' | 'operator' | 'system' | 'cli';
  id: string;
  name: string;
  ip: string;
  requestId: string;
};

/** What was done: `create`, `update`, `delete` or a verb of its own such as `revoke`. Never holds a value, so never a secret. */
export type AuditEntry = {
  action: string;
  /** One of the nine words that grants are made of. */
  resource: string;
  resourceId: string;
  changedFields?: readonly string[];
};

/** The service by itself: jobs and loops. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: '', name: 'dukkan', ip: '', requestId: '' };
