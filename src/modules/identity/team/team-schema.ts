import { Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../passwords/passwords.ts';
import { GRANTS, type Grant, ROLES, type Role } from '../permissions.ts';
import { SORT_COLUMNS } from '../sql/team.ts';

const exampleId = '0193a1f0-7c00-7000-8000-000000000001';

const role = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] });
const grants = (description: string) =>
  Type.Array(Type.Unsafe<Grant>({ type: 'string', enum: [...GRANTS] }), { maxItems: GRANTS.length, description });
const branchIvId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 255,
  description: 'Confines the account to this branch; null leaves it the whole organization',
});
const added = grants('What the account may do beyond its role, such as update:Settings');
const withheld = grants('What the account may not do although its role says so; stronger than an added grant');

export const memberId = '0193a1f0-7c00-7000-8000-00000000000e';
export const MemberParams = Type.Object({
  id: Type.String({ description: 'Of the member or the invitation, as the list shows it', examples: [memberId] }),
});

export const MemberQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of an email address or a name' })),
  sort: Type.Optional(
    Type.String({ default: '-created', description: `${SORT_COLUMNS.join(', ')}; after a minus for descending` }),
  ),
});

const memberFields = {
  id: Type.String({ description: 'Of the membership. An invitation keeps its id when it is accepted' }),
  user_id: Type.Union([Type.String(), Type.Null()], {
    description: 'null while invited, whether or not the address has an account',
  }),
  email: Type.String(),
  name: Type.String({ description: 'Empty while invited' }),
  role: Type.String(),
  branch_iv_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The branch that the account is confined to; empty when that is gone, null for the whole organization',
  }),
  grants_added: Type.Array(Type.String()),
  grants_withheld: Type.Array(Type.String()),
  status: Type.String({ description: 'active or invited. An invitation that has expired is no longer listed' }),
  last_seen_at: Type.Union([Type.String(), Type.Null()], { description: 'To within ten minutes' }),
  created: Type.String(),
  updated: Type.String({ description: 'When role, branch or grants last changed. In quotes it is the ETag' }),
};
export const memberExample = {
  id: memberId,
  user_id: '0193a1f0-7c00-7000-8000-000000000002',
  email: 'sara@example.com',
  name: 'Sara Al-Harbi',
  role: 'member',
  branch_iv_id: null,
  grants_added: [],
  grants_withheld: ['read:Analytics'],
  status: 'active',
  last_seen_at: '2026-11-15T07:50:00.000Z',
  created: '2026-11-01T08:00:00.000Z',
  updated: '2026-11-01T08:00:00.000Z',
};
export const Member = Type.Object(memberFields, { title: 'Member', examples: [memberExample] });
export const MemberList = listEnvelopeOf(Member);
export const MemberSaved = mutationEnvelopeOf(Member);
export const MemberInvited = mutationEnvelopeOf(
  Type.Object(
    { ...memberFields, invite_url: Type.String({ description: 'Shown this once; works for 7 days' }) },
    {
      title: 'InvitedMember',
      examples: [
        {
          ...memberExample,
          user_id: null,
          name: '',
          status: 'invited',
          last_seen_at: null,
          invite_url: 'https://shop.example/invite#token=dki_Zm9v...',
        },
      ],
    },
  ),
);

export const NewMemberBody = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 320 }),
    role,
    branch_iv_id: Type.Optional(branchIvId),
    grants_added: Type.Optional(added),
    grants_withheld: Type.Optional(withheld),
  },
  {
    title: 'NewMember',
    examples: [{ email: 'sara@example.com', role: 'member', grants_withheld: ['read:Analytics'] }],
  },
);

export const MemberChangeBody = Type.Object(
  {
    role: Type.Optional(role),
    branch_iv_id: Type.Optional(branchIvId),
    grants_added: Type.Optional(added),
    grants_withheld: Type.Optional(withheld),
  },
  {
    title: 'MemberChange',
    description: 'What is absent stays',
    examples: [{ role: 'viewer', grants_added: ['export:Orders'] }],
  },
);

export const ResetLink = Type.Object(
  {
    reset_url: Type.String({ description: 'Shown this once; works once and for 24 hours' }),
    expires_at: Type.String(),
  },
  {
    title: 'ResetLink',
    examples: [
      { reset_url: 'https://shop.example/reset-password#token=dkp_Zm9v...', expires_at: '2026-11-19T09:10:00.000Z' },
    ],
  },
);

export const AcceptanceBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'What follows #token= in the link' }),
    name: Type.String({
      maxLength: 255,
      description: 'Not blank. The name of an account that stays as it is does not change',
    }),
    password: Type.String({
      minLength: MIN_PASSWORD_CHARACTERS,
      maxLength: MAX_PASSWORD_CHARACTERS,
      description: 'Of the account that the address has, or the one to choose',
    }),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Where the account that the address has needs a second factor',
      }),
    ),
  },
  {
    title: 'InvitationAcceptance',
    examples: [{ token: 'dki_Zm9v...', name: 'Sara Al-Harbi', password: 'correct horse battery' }],
  },
);

export const PasswordResetBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'What follows #token= in the link' }),
    password: Type.String({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_CHARACTERS }),
  },
  { title: 'PasswordReset', examples: [{ token: 'dkp_Zm9v...', password: 'correct horse battery' }] },
);

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));

export const organizationExample = {
  id: exampleId,
  name_en: 'Najd Pharmacies',
  name_ar: 'صيدليات نجد',
  time_zone: 'Asia/Riyadh',
  currency: 'SAR',
  vat_number: '300000000000003',
  address: 'Olaya Street 12, Riyadh',
  require_totp: false,
  plan: 'standard',
  is_active: true,
  created: '2026-01-15T08:00:00.000Z',
  updated: '2026-11-15T08:00:00.000Z',
};

export const Organization = Type.Object(
  {
    id: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    time_zone: Type.String(),
    currency: Type.String(),
    vat_number: Type.String({ description: 'Empty where there is none' }),
    address: Type.String(),
    require_totp: Type.Boolean({ description: 'Whether members need a second factor' }),
    plan: Type.String(),
    is_active: Type.Boolean(),
    created: Type.String(),
    updated: Type.String(),
  },
  { title: 'Organization', examples: [organizationExample] },
);
export const OrganizationSaved = mutationEnvelopeOf(Organization);

export const OrganizationBody = Type.Object(
  {
    name_en: name,
    name_ar: name,
    time_zone: Type.Optional(Type.String({ maxLength: 100, description: 'Such as Asia/Riyadh' })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Three letters of ISO 4217' })),
    vat_number: Type.Optional(
      Type.String({ maxLength: 15, description: '15 digits, 3 the first and the last of them; empty clears it' }),
    ),
    address: Type.Optional(Type.String({ maxLength: 1000 })),
    require_totp: Type.Optional(Type.Boolean()),
  },
  {
    title: 'OrganizationChange',
    description: 'What is absent stays',
    examples: [{ name_en: 'Najd Pharmacies', currency: 'SAR', vat_number: '300000000000003' }],
  },
);
