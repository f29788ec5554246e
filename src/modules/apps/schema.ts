import { type Static, Type } from 'typebox';

const FAMILIES = ['web_store', 'delivery_app', 'marketplace', 'pos', 'till', 'payment', 'erp'] as const;
export const EXAMPLE_INSTALL_ID = '0193a1f0-7c00-7000-8000-000000000007';

/** More than any app has; keeps a 422 that names unknown settings short. */
const MAX_SETTINGS = 50;
const AnySettings = Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_SETTINGS });

const rowFields = {
  id: Type.String(),
  app_slug: Type.String(),
  name_en: Type.String(),
  name_ar: Type.String(),
  family: Type.Enum([...FAMILIES]),
  kind: Type.String(),
  enabled: Type.Boolean(),
  status: Type.Enum(['active', 'failing', 'disabled'], {
    description: 'failing: the last ten payloads or pushes all failed',
  }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Secrets show their last four characters only. An account confined to a branch sees the entries of that branch only',
  }),
  last_sync_at: Type.Union([Type.String(), Type.Null()]),
  created: Type.String(),
  updated: Type.String(),
};

export const exampleRow = {
  id: EXAMPLE_INSTALL_ID,
  app_slug: 'salla',
  name_en: 'Salla',
  name_ar: 'سلة',
  family: 'web_store',
  kind: 'storefront',
  enabled: true,
  status: 'active',
  settings: { webhook_secret: '••••c0de', branch_iv_id: 'BR-001' },
  last_sync_at: null,
  created: '2026-11-15T08:00:00.000Z',
  updated: '2026-11-15T08:00:00.000Z',
};

export const InstallShape = Type.Object(rowFields, { title: 'App', examples: [exampleRow] });

export const InstallList = Type.Object(
  { data: Type.Array(InstallShape), count: Type.Integer() },
  { title: 'AppList', examples: [{ data: [exampleRow], count: 1 }] },
);

export const NewInstallShape = Type.Object(
  {
    ...rowFields,
    ingest_url: Type.String({ description: 'The URL that the vendor calls' }),
    ingest_token: Type.String({
      description: 'Authenticates calls of vendors that do not sign them; in this response only',
    }),
  },
  {
    title: 'NewApp',
    examples: [
      {
        ...exampleRow,
        ingest_url: `https://dukkan.example.com/api/v1/ingest/${EXAMPLE_INSTALL_ID}`,
        ingest_token: 'dkt_8sWc2kYw1fXn3bQ0aZ7pLrT5vUe9mHdG',
      },
    ],
  },
);

export const ConnectionResult = Type.Object(
  {
    ok: Type.Boolean(),
    status_code: Type.Union([Type.Integer(), Type.Null()], {
      description: "The vendor's status; null without a response",
    }),
    duration_ms: Type.Integer(),
    message: Type.String({ description: 'Why it failed, in the words of the vendor where it has some; empty if ok' }),
  },
  {
    title: 'ConnectionResult',
    examples: [{ ok: false, status_code: 401, duration_ms: 212, message: 'Invalid token' }],
  },
);

export const NewIngestToken = Type.Object(
  {
    id: Type.String(),
    ingest_url: Type.String(),
    ingest_token: Type.String({ description: 'Shown this once' }),
  },
  {
    title: 'NewIngestToken',
    examples: [
      {
        id: EXAMPLE_INSTALL_ID,
        ingest_url: `https://dukkan.example.com/api/v1/ingest/${EXAMPLE_INSTALL_ID}`,
        ingest_token: 'dkt_8sWc2kYw1fXn3bQ0aZ7pLrT5vUe9mHdG',
      },
    ],
  },
);

const CatalogApp = Type.Object(
  {
    app_slug: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    family: Type.Enum([...FAMILIES]),
    kind: Type.String(),
    inbound: Type.Enum(['signed', 'secret', 'token', 'none'], {
      description:
        'signed: the signature covers the body; secret: a static value or a JWT; token: the ingest token of the install',
    }),
    push: Type.Boolean({ description: 'Whether status changes are pushed to the vendor' }),
    settings_schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema' }),
    secrets: Type.Array(Type.String()),
    installed: Type.Integer(),
  },
  { title: 'CatalogApp' },
);

export const Catalog = Type.Object(
  { data: Type.Array(CatalogApp), count: Type.Integer() },
  {
    title: 'AppCatalog',
    examples: [
      {
        data: [
          {
            app_slug: 'salla',
            name_en: 'Salla',
            name_ar: 'سلة',
            family: 'web_store',
            kind: 'storefront',
            inbound: 'signed',
            push: true,
            settings_schema: { type: 'object', properties: { webhook_secret: { type: 'string' } } },
            secrets: ['webhook_secret', 'access_token'],
            installed: 1,
          },
        ],
        count: 1,
      },
    ],
  },
);

export const NewInstallBody = Type.Object(
  {
    app_slug: Type.String({ minLength: 1, maxLength: 100, description: 'A slug of GET /apps/catalog' }),
    settings: Type.Optional(AnySettings),
  },
  {
    title: 'AppInstallation',
    examples: [{ app_slug: 'woocommerce', settings: { webhook_secret: 'the secret that signs the webhooks' } }],
  },
);
export type NewInstallInput = Static<typeof NewInstallBody>;

export const InstallChangeBody = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: MAX_SETTINGS,
        description:
          'Replaces the named settings; null removes one. A secret that is omitted, or sent as it was masked, stays. Secrets are bound to the origin (scheme, host, port) of `api_base_url`: when the origin changes, send those that calls carry (`x-sent-to-vendor` in the catalog) in full or as null in the same request',
      }),
    ),
  },
  { title: 'AppChange', examples: [{ enabled: true }] },
);
