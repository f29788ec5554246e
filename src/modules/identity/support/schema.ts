import { Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import type { SupportGrantRow } from '../sql/support-grants.ts';
import type { SupportRequestRow } from '../sql/support-requests.ts';
import { GRANT_HOURS, type GrantHours } from './grant-access.ts';
import { SUPPORT_SCOPES, type SupportScope } from './policy.ts';

export const MAX_REASON_CHARACTERS = 500;
export const grantId = '0193a1f0-7c00-7000-8000-0000000000b1';
export const requestId = '0193a1f0-7c00-7000-8000-0000000000b2';
export const organizationId = '0193a1f0-7c00-7000-8000-0000000000b7';
const operatorId = '0193a1f0-7c00-7000-8000-0000000000b3';

const nullable = Type.Union([Type.String(), Type.Null()]);
const scope = Type.Unsafe<SupportScope>({
  type: 'string',
  enum: [...SUPPORT_SCOPES],
  description:
    'read: nothing can be changed. full: also changes, except payments, members, API keys, webhook and app secrets and the organization itself',
});

export const RequestParams = Type.Object({
  id: Type.String({ description: 'Its id, as GET /organization/support-access shows it', examples: [requestId] }),
});
export const OrganizationParams = Type.Object({
  id: Type.String({ description: 'Of the organization', examples: [organizationId] }),
});
const grantExample = {
  id: grantId,
  scope: 'read',
  status: 'open',
  reason: 'Orders of the web store arrive twice',
  granted_by: { id: organizationId, name: 'Sara Al-Harbi' },
  created: '2026-11-15T08:00:00.000Z',
  expires_at: '2026-11-15T16:00:00.000Z',
  ended_at: null,
  ended_by: null,
  operators: [{ id: operatorId, name: 'Khalid Al-Otaibi', opened_at: '2026-11-15T08:10:00.000Z' }],
};
export const SupportGrant = Type.Object(
  {
    id: Type.String(),
    scope,
    status: Type.Enum(['open', 'ended', 'expired'], { description: 'ended: by a member of the organization' }),
    reason: Type.String({ description: 'Empty if none was given' }),
    granted_by: Type.Object({ id: Type.String(), name: Type.String({ description: 'At that time' }) }),
    created: Type.String(),
    expires_at: Type.String(),
    ended_at: nullable,
    ended_by: Type.Union([Type.String(), Type.Null()], { description: 'Name of the member who ended it' }),
    operators: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), opened_at: Type.String() }), {
      description: 'Who opened the organization under it, at most 20. `id` is the actor in GET /audit',
    }),
  },
  { title: 'SupportGrant', examples: [grantExample] },
);
export const SupportGrantList = listEnvelopeOf(SupportGrant);
export const SupportGrantSaved = mutationEnvelopeOf(SupportGrant);

const requestExample = {
  id: requestId,
  operator: { id: operatorId, name: 'Khalid Al-Otaibi' },
  scope: 'read',
  reason: 'To see why the last sync failed',
  status: 'open',
  created: '2026-11-15T07:00:00.000Z',
  expires_at: '2026-11-22T07:00:00.000Z',
};
export const SupportRequest = Type.Object(
  {
    id: Type.String(),
    operator: Type.Object({ id: Type.String(), name: Type.String() }),
    scope,
    reason: Type.String(),
    status: Type.Enum(['open', 'allowed', 'refused', 'withdrawn', 'expired']),
    created: Type.String(),
    expires_at: Type.String({ description: 'Until then it can be answered' }),
  },
  { title: 'SupportRequest', examples: [requestExample] },
);
export const SupportRequestSaved = mutationEnvelopeOf(SupportRequest);

export const SupportState = Type.Object(
  {
    grant: Type.Union([SupportGrant, Type.Null()], { description: 'The open one' }),
    requests: Type.Array(SupportRequest, { description: 'Those that wait for an answer, at most 5' }),
  },
  { title: 'SupportState', examples: [{ grant: null, requests: [requestExample] }] },
);

export const OperatorSupportState = Type.Object(
  {
    grant: Type.Union([SupportGrant, Type.Null()], { description: 'The open one' }),
    request: Type.Union([SupportRequest, Type.Null()], { description: 'Your last one, open or not' }),
  },
  { title: 'OperatorSupportState', examples: [{ grant: grantExample, request: null }] },
);

export const NewGrantBody = Type.Object(
  {
    scope,
    duration_hours: Type.Unsafe<GrantHours>({ type: 'integer', enum: [...GRANT_HOURS] }),
    reason: Type.Optional(Type.String({ maxLength: MAX_REASON_CHARACTERS })),
    request_id: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: 'The request that this answers. Scope and duration are still your choice',
      }),
    ),
  },
  {
    title: 'SupportGrantRequest',
    examples: [{ scope: 'read', duration_hours: 8, reason: 'Orders of the web store arrive twice' }],
  },
);

export const NewRequestBody = Type.Object(
  { scope, reason: Type.String({ minLength: 1, maxLength: MAX_REASON_CHARACTERS }) },
  {
    title: 'SupportRequestBody',
    examples: [{ scope: 'read', reason: 'To see why the last sync failed' }],
  },
);

export const SupportToken = Type.Object(
  {
    access_token: Type.String({ description: 'For this organization only, sent as Authorization: Bearer' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds: at most an hour, and never past the end of the grant' }),
    organization_id: Type.String(),
    scope,
    grant_expires_at: Type.String(),
  },
  {
    title: 'SupportToken',
    examples: [
      {
        access_token: 'eyJhbGciOiJIUzI1NiJ9...',
        token_type: 'Bearer',
        expires_in: 3600,
        organization_id: organizationId,
        scope: 'read',
        grant_expires_at: '2026-11-15T16:00:00.000Z',
      },
    ],
  },
);

export function grantShape(row: SupportGrantRow, now: Date) {
  const isExpired = row.expires_at <= now && row.ended_by_name === null;
  const status: 'open' | 'ended' | 'expired' = row.ended_by_name !== null ? 'ended' : isExpired ? 'expired' : 'open';
  return {
    id: row.id,
    scope: row.scope,
    status,
    reason: row.reason,
    granted_by: { id: row.granted_by, name: row.granted_by_name },
    created: row.created.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? (isExpired ? row.expires_at.toISOString() : null),
    ended_by: row.ended_by_name,
    operators: row.operators.map(({ opened_at, ...operator }) => ({
      ...operator,
      opened_at: new Date(opened_at).toISOString(),
    })),
  };
}

export function requestShape({ operator_id, operator_name, created, expires_at, ...row }: SupportRequestRow) {
  return {
    ...row,
    operator: { id: operator_id, name: operator_name },
    created: created.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
