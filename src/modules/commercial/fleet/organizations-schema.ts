import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { AuditEntryShape } from '../../audit/index.ts';
import { exampleOrganizationId, LedgerEntry } from './money-schema.ts';

export const ORGANIZATION_STATUSES = ['active', 'suspended', 'inactive'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

export const OrganizationParams = Type.Object({
  id: Type.String({ description: 'Id of the organization', examples: [exampleOrganizationId] }),
});

export const OrganizationsQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name, in either language' })),
  status: Type.Optional(
    Type.Unsafe<OrganizationStatus>({
      type: 'string',
      enum: [...ORGANIZATION_STATUSES],
      description: 'Only organizations with this status',
    }),
  ),
});

const organizationFields = {
  id: Type.String(),
  name_en: Type.String(),
  name_ar: Type.String(),
  plan: Type.String(),
  status: Type.String({ description: 'active, suspended, or inactive where it is closed' }),
  suspended_at: Type.Union([Type.String(), Type.Null()]),
  suspended_by: Type.String({
    description: 'billing: ends with the payment; operator: ends by hand. Empty while not suspended',
  }),
  suspension_reason: Type.String({ description: 'Empty while not suspended' }),
  branch_count: Type.Integer(),
  user_count: Type.Integer(),
  balance_sar: Type.Number({ description: 'Balance of its wallet' }),
  outstanding_sar: Type.Number({ description: 'What is left to pay of its open fees' }),
  overdue_sar: Type.Number({ description: 'The part of it that was due before today' }),
  created: Type.String(),
  updated: Type.String(),
};
const organizationExample = {
  id: exampleOrganizationId,
  name_en: 'Najd Pharmacies',
  name_ar: 'صيدليات نجد',
  plan: 'standard',
  status: 'active',
  suspended_at: null,
  suspended_by: '',
  suspension_reason: '',
  branch_count: 12,
  user_count: 5,
  balance_sar: 143.75,
  outstanding_sar: 287.5,
  overdue_sar: 0,
  created: '2026-01-15T08:00:00.000Z',
  updated: '2026-11-15T08:00:00.000Z',
};
export const FleetOrganization = Type.Object(organizationFields, {
  title: 'FleetOrganization',
  examples: [organizationExample],
});
export const FleetOrganizationList = listEnvelopeOf(FleetOrganization);

export const NewOrganizationBody = Type.Object(
  {
    name_en: Type.String({ minLength: 1, maxLength: 255 }),
    name_ar: Type.String({ minLength: 1, maxLength: 255 }),
    owner_email: Type.String({
      format: 'email',
      maxLength: 320,
      description: 'The address that is invited as first owner',
    }),
    plan: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A plan with a price: starter, standard, growth, enterprise',
    }),
  },
  {
    title: 'NewOrganization',
    examples: [
      { name_en: 'Hail Groceries', name_ar: 'بقالات حائل', owner_email: 'owner@hail.example', plan: 'standard' },
    ],
  },
);
export const NewOrganizationAnswer = Type.Object(
  {
    ...organizationFields,
    owner_email: Type.String(),
    invite_url: Type.String({ description: 'Shown only in this response; valid for 7 days' }),
    resets_account: Type.Boolean({
      description: 'The address has an account that was never verified: accepting the link resets it',
    }),
    affected_organizations: Type.Array(Type.String(), {
      description: 'Ids of organizations in which that account is a member and would get a pending invitation',
    }),
  },
  {
    title: 'OpenedOrganization',
    examples: [
      {
        ...organizationExample,
        name_en: 'Hail Groceries',
        name_ar: 'بقالات حائل',
        branch_count: 0,
        user_count: 0,
        balance_sar: 0,
        outstanding_sar: 0,
        owner_email: 'owner@hail.example',
        invite_url: 'https://shop.example/invite#token=dki_Zm9v...',
        resets_account: false,
        affected_organizations: [],
      },
    ],
  },
);

const reason = (example: string, title: string) =>
  Type.Object(
    {
      reason: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The reason, shown to the members of the organization',
      }),
    },
    { title, examples: [{ reason: example }] },
  );
export const SuspensionBody = reason('Agreement ended on 31 October', 'Suspension');
export const ResumptionBody = reason('Agreement was renewed', 'Resumption');

export const LedgerQuery = Type.Object(PageQuery);
export const LedgerList = listEnvelopeOf(LedgerEntry);

const exactly = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }));
export const OperatorAuditQuery = Type.Object({
  ...PageQuery,
  organization_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only actions on this organization' })),
  action: exactly('create, update, delete or a verb of its own, such as suspend'),
  from: instant('RFC 3339: at that time or later'),
  to: instant('RFC 3339: at that time or earlier'),
});
export const OperatorAuditList = listEnvelopeOf(
  Type.Object(
    {
      organization_id: Type.String({ description: 'All zeros for records that belong to no organization' }),
      ...AuditEntryShape.properties,
    },
    {
      title: 'OperatorAuditEntry',
      examples: [
        {
          organization_id: exampleOrganizationId,
          id: '0193a1f0-7c00-7000-8000-0000000000a1',
          at: '2026-11-15T08:00:00.000Z',
          actor: {
            kind: 'operator',
            id: '0193a1f0-7c00-7000-8000-000000000009',
            name: 'ops@example.com',
          },
          action: 'suspend',
          resource: 'Settings',
          resource_id: exampleOrganizationId,
          changed_fields: ['status', 'suspension_reason'],
          ip: '203.0.113.7',
          request_id: '0193a1f0-7c00-7000-8000-0000000000ff',
        },
      ],
    },
  ),
);
