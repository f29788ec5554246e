import type { AccessFacts } from '../../../platform/http/openapi.ts';
import { badRequest, forbidden, Problem, unauthorized } from '../../../platform/http/problem.ts';
import { missingGrant } from '../permissions.ts';
import { notForSupport } from '../support/policy.ts';
import type { Access } from './access.ts';

const organizationId = '0193a1f0-7c00-7000-8000-000000000001';
const noToken = unauthorized('Send a token as Authorization: Bearer');
const noCredential = unauthorized('Send an API key as X-API-Key, or a token as Authorization: Bearer');
export const notAccessible = forbidden(
  { organization_id: 'not an organization of this account' },
  'Organization not accessible',
);
const notResolvable = badRequest(
  { organization_id: 'neither the token nor X-Organization-ID names an organization of this account' },
  'Organization not resolvable',
);

/** How the gate may refuse a route, for the description of the API. */
export function describeAccess(access: Access): AccessFacts {
  switch (access.kind) {
    case 'public':
      return { refusals: [], takesOrganization: false, hasShare: false };
    case 'signed-in':
      return {
        refusals: access.support === 'allowed' ? [noToken] : [noToken, notForSupport()],
        takesOrganization: false,
        hasShare: true,
      };
    case 'credentials':
      return { refusals: [notResolvable, noToken, notAccessible], takesOrganization: true, hasShare: true };
    case 'commercial':
      return {
        refusals: [noToken, forbidden({ operator_type: 'Commercial is required' })],
        takesOrganization: false,
        hasShare: true,
      };
    case 'tenant':
      return { refusals: refusalsOfTenant(access), takesOrganization: true, hasShare: true };
  }
}

function refusalsOfTenant(access: Extract<Access, { kind: 'tenant' }>): Problem[] {
  return [
    access.apiKey ? noCredential : noToken,
    ...(access.whileSuspended === 'allowed'
      ? []
      : [new Problem(402, 'Billing suspended', { organization_id: organizationId })]),
    ...(access.action === undefined ? [] : [missingGrant(access.action, access.resource)]),
    ...(access.branchConfined === 'refused' ? [forbidden({ account: 'confined to one branch' })] : []),
    notAccessible,
  ];
}
