import { type Static, Type } from 'typebox';
import { cappedListOf } from '../../../platform/http/camel-case-pager.ts';
import { amountSar } from '../../../platform/http/sar-amount.ts';
import { EXAMPLE_INSTALL_ID } from '../../apps/index.ts';
import type { AssignmentRow, AssignmentStatus } from './sql/assignments.ts';
import type { AssetRow, BillingCycle, ServiceRow } from './sql/services.ts';

/** Lists without pages end here; `total_items` is exact. */
export const MAX_LIST_ITEMS = 500;

export const EXAMPLE_SERVICE_ID = '0193a1f0-7c00-7000-8000-0000000005e1';
export const EXAMPLE_ASSET_ID = '0193a1f0-7c00-7000-8000-0000000005a1';
const EXAMPLE_TIME = '2026-11-15T08:00:00.000Z';

const BillingCycles = Type.Unsafe<BillingCycle>({
  title: 'BillingCycle',
  type: 'string',
  enum: ['once', 'monthly', 'yearly'],
  description: 'How often it is charged',
});
const AssignmentStatuses = Type.Unsafe<AssignmentStatus>({
  title: 'AssignmentStatus',
  type: 'string',
  enum: ['active', 'paused'],
  description: 'A paused assignment is not charged',
});

const code = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'letters, digits, dots, dashes and underscores, at most 64; no two services have the same',
});
const name = (language: string) => Type.String({ pattern: '\\S', maxLength: 200, description: `In ${language}` });
const inputFields = {
  description: Type.Optional(Type.String({ maxLength: 5_000, description: 'For people' })),
  vat_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Default 15' })),
  billing_cycle: Type.Optional(BillingCycles),
  is_active: Type.Optional(Type.Boolean({ description: 'Whether it can be assigned; default true' })),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: "The operator's own notes, as a JSON object of at most 16,384 characters; replaced as a whole",
    }),
  ),
};

const example = {
  code: 'SENSY-PRO',
  name_en: 'Demand forecasts',
  name_ar: 'توقعات الطلب',
  description: 'Forecasts of every SKU for the next 90 days',
  price_sar: 99.5,
  vat_percent: 15,
  billing_cycle: 'monthly',
  is_active: true,
  metadata: { account_manager: 'Huda' },
};

export const NewService = Type.Object(
  {
    code,
    name_en: name('English'),
    name_ar: Type.Optional(name('Arabic name; default: the English one')),
    price_sar: amountSar('Without VAT, each'),
    ...inputFields,
  },
  { title: 'NewBillableService', examples: [example] },
);
export type NewServiceShape = Static<typeof NewService>;

export const ServiceChange = Type.Object(
  {
    code: Type.Optional(code),
    name_en: Type.Optional(name('English')),
    name_ar: Type.Optional(name('Arabic')),
    price_sar: Type.Optional(amountSar('Without VAT, each; what is assigned keeps the price it has')),
    ...inputFields,
  },
  {
    title: 'BillableServiceChange',
    examples: [{ price_sar: 119, metadata: { account_manager: 'Lama' } }],
  },
);
export type ServiceChangeShape = Static<typeof ServiceChange>;

const assetExample = {
  id: EXAMPLE_ASSET_ID,
  name: 'brochure.pdf',
  content_type: 'application/pdf',
  size_bytes: 48_213,
  created: EXAMPLE_TIME,
  url: `/api/v1/commercial/billable-services/${EXAMPLE_SERVICE_ID}/assets/${EXAMPLE_ASSET_ID}`,
};
export const Asset = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    content_type: Type.String(),
    size_bytes: Type.Integer(),
    created: Type.String(),
    url: Type.String({ description: 'Requires the token of a Commercial operator' }),
  },
  { title: 'ServiceAsset', examples: [assetExample] },
);

/** An example file: the header of a PDF is all that the content check needs. */
export const EXAMPLE_PDF = '%PDF-1.4\n%%EOF\n';
export const AssetForm = {
  content: {
    'multipart/form-data': {
      schema: Type.Object(
        {
          file: Type.Unsafe<unknown>({
            type: 'string',
            format: 'binary',
            description: 'pdf, jpg, png, webp or gif by content, at most 10 MB',
          }),
          name: Type.Optional(
            Type.String({ maxLength: 200, description: 'Display name; default: the name of the file' }),
          ),
        },
        { title: 'ServiceAssetForm', examples: [{ file: EXAMPLE_PDF, name: 'brochure.pdf' }] },
      ),
    },
  },
};

export const SERVICE_EXAMPLE = {
  id: EXAMPLE_SERVICE_ID,
  ...example,
  assets: [assetExample],
  created: EXAMPLE_TIME,
  updated: EXAMPLE_TIME,
};

export const Service = Type.Object(
  {
    id: Type.String(),
    code: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    description: Type.String(),
    price_sar: Type.Number({ description: 'Without VAT' }),
    vat_percent: Type.Number(),
    billing_cycle: BillingCycles,
    is_active: Type.Boolean(),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    assets: Type.Array(Asset),
    created: Type.String(),
    updated: Type.String(),
  },
  {
    title: 'BillableService',
    examples: [SERVICE_EXAMPLE],
  },
);
export const ServiceList = cappedListOf(Service, 'BillableServiceList');

const quantity = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Number of units' });
const startsAt = Type.String({
  format: 'date-time',
  maxLength: 64,
  description: 'Charged for months that begin then or later',
});

export const NewAssignment = Type.Object(
  {
    organization_app_id: Type.String({ description: 'The install' }),
    service_id: Type.String({ description: 'A service that is active' }),
    price_sar: Type.Optional(amountSar('Without VAT, each; default: the price of the catalog')),
    quantity: Type.Optional(quantity),
    starts_at: Type.Optional(startsAt),
  },
  {
    title: 'NewServiceAssignment',
    examples: [
      { organization_app_id: EXAMPLE_INSTALL_ID, service_id: EXAMPLE_SERVICE_ID, price_sar: 89.5, quantity: 2 },
    ],
  },
);
export type NewAssignmentShape = Static<typeof NewAssignment>;

export const AssignmentChange = Type.Object(
  {
    service_id: Type.Optional(
      Type.String({ description: 'Another service, at its catalog price unless `price_sar` is set' }),
    ),
    price_sar: Type.Optional(amountSar('Without VAT, each')),
    quantity: Type.Optional(quantity),
    status: Type.Optional(AssignmentStatuses),
    starts_at: Type.Optional(startsAt),
  },
  { title: 'ServiceAssignmentChange', examples: [{ quantity: 3, status: 'paused' }] },
);
export type AssignmentChangeShape = Static<typeof AssignmentChange>;

export const Assignment = Type.Object(
  {
    organization_app_id: Type.String(),
    organization_id: Type.String(),
    service_id: Type.String(),
    price_sar: Type.Number({ description: 'Without VAT, each' }),
    quantity: Type.Integer(),
    status: AssignmentStatuses,
    starts_at: Type.String(),
    created: Type.String(),
    updated: Type.String(),
  },
  {
    title: 'ServiceAssignment',
    examples: [
      {
        organization_app_id: EXAMPLE_INSTALL_ID,
        organization_id: '0193a1f0-7c00-7000-8000-000000000001',
        service_id: EXAMPLE_SERVICE_ID,
        price_sar: 89.5,
        quantity: 2,
        status: 'active',
        starts_at: EXAMPLE_TIME,
        created: EXAMPLE_TIME,
        updated: EXAMPLE_TIME,
      },
    ],
  },
);
export const AssignmentList = cappedListOf(Assignment, 'ServiceAssignmentList');

export const AssignmentQuery = Type.Object({
  organization_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only those of this organization' })),
  service_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only those of this service' })),
});

export function serviceShape(service: ServiceRow, assets: readonly AssetRow[]): Static<typeof Service> {
  return {
    ...service,
    price_sar: Number(service.price_sar),
    vat_percent: Number(service.vat_percent),
    assets: assets.map(assetShape),
    created: service.created.toISOString(),
    updated: service.updated.toISOString(),
  };
}

export function assetShape(asset: AssetRow): Static<typeof Asset> {
  return {
    id: asset.id,
    name: asset.name,
    content_type: asset.content_type,
    size_bytes: asset.size_bytes,
    created: asset.created.toISOString(),
    url: `/api/v1/commercial/billable-services/${asset.service_id}/assets/${asset.id}`,
  };
}

export function assignmentShape(row: AssignmentRow): Static<typeof Assignment> {
  return {
    ...row,
    price_sar: Number(row.price_sar),
    starts_at: row.starts_at.toISOString(),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  };
}
