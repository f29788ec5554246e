import { Type } from 'typebox';
import { listEnvelopeOf } from '../../platform/http/envelopes.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './passwords/passwords.ts';
import { SUPPORT_SCOPES, type SupportScope } from './support/policy.ts';

const MAX_CODE_CHARACTERS = 64;

const exampleId = '0193a1f0-7c00-7000-8000-000000000001';

export const LoginBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARACTERS }),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CODE_CHARACTERS,
        description: 'Of accounts with a second factor: six digits, or a recovery code in their place',
      }),
    ),
  },
  { title: 'Login', examples: [{ email: 'owner@najd.example', password: 'correct horse battery' }] },
);

export const SessionHeaders = Type.Object({
  'x-session': Type.Optional(
    Type.Literal('cookie', {
      description:
        'For browsers: the refresh token goes into an HttpOnly cookie and comes from it, and is not in the answer',
      examples: ['cookie'],
    }),
  ),
});

export const TokensAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer(),
    refresh_token: Type.Optional(Type.String({ description: 'Absent with X-Session: cookie' })),
  },
  {
    title: 'Tokens',
    examples: [{ access_token: 'eyJhbGciOi...', token_type: 'Bearer', expires_in: 3600, refresh_token: 'dkr_Zm9v...' }],
  },
);

export const RefreshBody = Type.Object(
  {
    refresh_token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Required without X-Session: cookie' }),
    ),
  },
  { title: 'Refresh', examples: [{ refresh_token: 'dkr_Zm9v...' }] },
);

export const PasswordBody = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARACTERS }),
    new_password: Type.String({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_CHARACTERS }),
  },
  {
    title: 'PasswordChange',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple under the moon' }],
  },
);

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for typing in by hand' }),
    otpauth_url: Type.String({ description: 'To be shown as a QR code' }),
  },
  {
    title: 'TotpSecret',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        otpauth_url:
          'otpauth://totp/Dukkan:owner%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Dukkan&algorithm=SHA1&digits=6&period=30',
      },
    ],
  },
);

export const TotpEnrolmentBody = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARACTERS, description: 'Of the account' }) },
  { title: 'TotpEnrolment', examples: [{ password: 'correct horse battery' }] },
);

export const TotpCodeBody = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: MAX_CODE_CHARACTERS }) },
  { title: 'TotpCode', examples: [{ code: '492039' }] },
);

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String(), { description: 'Each works once in place of a code; shown this once' }) },
  { title: 'RecoveryCodes', examples: [{ recovery_codes: ['MFRG-GZDF-MZTW-Q2LK', 'NRWW-433Q-OFZH-G5DV'] }] },
);

export const DisableTotpBody = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARACTERS }),
    code: Type.String({ minLength: 1, maxLength: MAX_CODE_CHARACTERS }),
  },
  { title: 'TotpRemoval', examples: [{ password: 'correct horse battery', code: '492039' }] },
);

export const NewSessionTokenBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    expires_in_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()])),
  },
  { title: 'SessionTokenRequest', examples: [{ name: 'Nightly export', expires_in_days: 90 }] },
);

const sessionTokenFields = {
  id: Type.String(),
  name: Type.String(),
  organization_id: Type.Union([Type.String(), Type.Null()]),
  hint: Type.String({ description: 'Last four characters' }),
  revoked: Type.Boolean(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  created: Type.String(),
};
const sessionTokenExample = {
  id: exampleId,
  name: 'Nightly export',
  organization_id: exampleId,
  hint: 'x1Yz',
  revoked: false,
  expires_at: '2027-02-13T00:00:00.000Z',
  created: '2026-11-15T00:00:00.000Z',
};
export const SessionToken = Type.Object(sessionTokenFields, { title: 'SessionToken', examples: [sessionTokenExample] });
export const SessionTokenList = listEnvelopeOf(SessionToken);
export const NewSessionToken = Type.Object(
  { ...sessionTokenFields, token: Type.String({ description: 'Shown this once' }) },
  { title: 'NewSessionToken', examples: [{ ...sessionTokenExample, token: 'dks_...x1Yz' }] },
);

export const NewApiKeyBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    grants: Type.Optional(
      Type.Array(Type.String({ maxLength: 40, examples: ['read:Orders'] }), {
        maxItems: 100,
        description: 'What it opens, as action:resource. Settings is refused',
      }),
    ),
    branch_iv_id: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Null()], {
        description: 'Sees this branch alone',
      }),
    ),
    expires_at: Type.Optional(
      Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Absent: it does not end' }),
    ),
  },
  {
    title: 'ApiKeyRequest',
    examples: [{ name: 'ERP bridge', grants: ['read:Orders', 'create:Orders'], expires_at: '2099-12-31T00:00:00Z' }],
  },
);
const apiKeyFields = {
  id: Type.String(),
  organization_id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'Last four characters' }),
  grants: Type.Array(Type.String()),
  branch_iv_id: Type.Union([Type.String(), Type.Null()]),
  revoked: Type.Boolean(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  last_used_at: Type.Union([Type.String(), Type.Null()], { description: 'To the minute' }),
  created: Type.String(),
};
const apiKeyExample = {
  id: exampleId,
  organization_id: exampleId,
  name: 'ERP bridge',
  hint: 'Qw3r',
  grants: ['read:Orders', 'create:Orders'],
  branch_iv_id: null,
  revoked: false,
  expires_at: '2099-12-31T00:00:00.000Z',
  last_used_at: null,
  created: '2026-11-15T00:00:00.000Z',
};
export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey', examples: [apiKeyExample] });
export const ApiKeyList = listEnvelopeOf(ApiKey);
export const NewApiKey = Type.Object(
  { ...apiKeyFields, api_key: Type.String({ description: 'Shown this once' }) },
  { title: 'NewApiKey', examples: [{ ...apiKeyExample, api_key: 'dkk_...Qw3r' }] },
);

const nullableString = Type.Union([Type.String(), Type.Null()]);

const accountOrganization = {
  id: Type.String(),
  name_en: Type.String(),
  name_ar: Type.String(),
  is_active: Type.Boolean(),
  suspended: Type.Boolean({ description: 'For unpaid fees: its routes answer 402' }),
  time_zone: Type.String(),
  require_totp: Type.Boolean({ description: 'Members without a second factor are let into nothing of it' }),
  role: Type.String(),
  branch_id: Type.Union([Type.String(), Type.Null()], { description: 'Set: sees this branch alone' }),
  grants: Type.Array(Type.String(), { description: 'As action:resource' }),
};
export const Account = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String({ description: 'The email address where there is no name' }),
      operator_type: Type.String(),
      has_second_factor: Type.Boolean(),
    }),
    organizations: Type.Array(Type.Object(accountOrganization)),
    support: Type.Union(
      [
        Type.Object({
          grant_id: Type.String(),
          scope: Type.Unsafe<SupportScope>({ type: 'string', enum: [...SUPPORT_SCOPES] }),
          grant_expires_at: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Set for a support token: an operator inside an organization that has allowed it' },
    ),
  },
  {
    title: 'Account',
    examples: [
      {
        user: {
          id: exampleId,
          email: 'owner@example.com',
          name: 'Sara Al-Harbi',
          operator_type: 'Merchant',
          has_second_factor: false,
        },
        organizations: [
          {
            id: exampleId,
            name_en: 'Najd Pharmacies',
            name_ar: 'صيدليات نجد',
            is_active: true,
            suspended: false,
            time_zone: 'Asia/Riyadh',
            require_totp: false,
            role: 'viewer',
            branch_id: null,
            grants: ['read:Branches', 'read:Products', 'read:Orders'],
          },
        ],
        support: null,
      },
    ],
  },
);

export const Credentials = Type.Object(
  {
    tenant: Type.Object({
      id: Type.String(),
      name_en: Type.String(),
      name_ar: Type.String(),
      is_active: Type.Boolean(),
    }),
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      role: Type.String(),
      operator_type: Type.String(),
    }),
    subscription: Type.Object({
      plan: Type.String(),
      status: Type.String(),
      period_end: nullableString,
      outstanding_sar: Type.Number(),
      overdue_sar: Type.Number(),
    }),
    wallet: Type.Object({ balance_sar: Type.Number(), currency: Type.String() }),
    token: Type.Object({
      type: Type.String(),
      revoked: Type.Boolean(),
      issued_at: Type.String(),
      expires_at: nullableString,
    }),
    service_operational: Type.Boolean(),
  },
  {
    title: 'Credentials',
    examples: [
      {
        tenant: { id: exampleId, name_en: 'Najd Pharmacies', name_ar: 'صيدليات نجد', is_active: true },
        user: { id: exampleId, email: 'owner@example.com', role: 'owner', operator_type: 'Merchant' },
        subscription: {
          plan: 'standard',
          status: 'active',
          period_end: '2026-12-01T00:00:00.000Z',
          outstanding_sar: 0,
          overdue_sar: 0,
        },
        wallet: { balance_sar: 1250.5, currency: 'SAR' },
        token: { type: 'session_token', revoked: false, issued_at: '2026-11-15T00:00:00.000Z', expires_at: null },
        service_operational: true,
      },
    ],
  },
);
