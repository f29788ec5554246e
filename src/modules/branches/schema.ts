import { type Static, Type } from 'typebox';
import { bulkOutcomeOf, listEnvelopeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { branchExample, createdAt, formExample, inputExample, periodsExample, weekdayExample } from './examples.ts';
import { BRANCH_STATUSES, type BranchStatus } from './fields.ts';
import { MAX_CITY_LENGTH } from './geo.ts';
import { WEEK_DAYS } from './working-hours.ts';

export const MAX_BULK_BRANCHES = 1000;
export const MAX_PHOTOS = 20;
export const BULK_MODES = ['create', 'update', 'upsert'] as const;
export type BulkMode = (typeof BULK_MODES)[number];

const MAX_IV_ID_CHARACTERS = 50;
const MAX_NAME_CHARACTERS = 255;
const MAX_EMAIL_CHARACTERS = 320;
const MAX_MAP_ID_CHARACTERS = 255;
/** A whole name can be searched for. */
const MAX_SEARCH_CHARACTERS = 255;

const Status = Type.Unsafe<BranchStatus>({ title: 'BranchStatus', type: 'string', enum: [...BRANCH_STATUSES] });
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const ivId = Type.String({ minLength: 1, maxLength: MAX_IV_ID_CHARACTERS, pattern: '\\S' });
export const IvId = Type.Object({ iv_id: ivId });
export const BranchParams = Type.Object({
  ivId: Type.String({ description: "The branch's iv_id", examples: ['RUH-OLAYA'] }),
});

const checkedFields = {
  name_en: text(MAX_NAME_CHARACTERS),
  name_ar: text(MAX_NAME_CHARACTERS),
  email: text(MAX_EMAIL_CHARACTERS),
  active: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  status: Type.Optional(Type.Union([Status, Type.Null()])),
  apple_maps_id: text(MAX_MAP_ID_CHARACTERS),
  google_maps_id: text(MAX_MAP_ID_CHARACTERS),
  time_zone: text(MAX_NAME_CHARACTERS),
};
/** What a schema alone can judge; location and hours have readers of their own, which say more. */
export const CheckedFields = Type.Object(checkedFields);
export type BranchInput = Static<typeof CheckedFields>;

const Location = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lon: Type.Number({ minimum: -180, maximum: 180 }),
    city: Type.Optional(Type.String({ maxLength: MAX_CITY_LENGTH })),
  },
  { title: 'Location' },
);

const WorkingPeriodShape = Type.Object(
  {
    WeekDay: Type.Unsafe<(typeof WEEK_DAYS)[number]>({ title: 'WeekDay', type: 'string', enum: [...WEEK_DAYS] }),
    OpenHour: Type.Integer({ minimum: 0, maximum: 23 }),
    OpenMinute: Type.Integer({ minimum: 0, maximum: 59 }),
    CloseHour: Type.Integer({ minimum: 0, maximum: 24 }),
    CloseMinute: Type.Integer({ minimum: 0, maximum: 59 }),
  },
  { title: 'WorkingPeriod', description: 'A close at or before the open is on the next day' },
);

/** Read by `parseWorkingHours`, which names the faulty period; the description says more than is checked before. */
const WorkingHoursInput = Type.Unsafe<unknown>({
  type: ['object', 'array', 'null'],
  describedAs: {
    title: 'WorkingHours',
    type: ['object', 'array', 'null'],
    additionalProperties: true,
    items: { describedAs: 'WorkingPeriod' },
    description:
      'By weekday: {open, close}, {periods: [{open, close}]} or {closed: true} under lower-case names; or a list of periods. ' +
      'A close at or before the open is on the next day; 24:00 closes at midnight. null clears.',
    examples: [weekdayExample, periodsExample],
  },
});

const inputFields = {
  ...checkedFields,
  location: Type.Optional(Type.Union([Location, Type.Null()])),
  working_hours: Type.Optional(WorkingHoursInput),
};

const keptImages = {
  hero_image: Type.Optional(Type.Unsafe<unknown>({ description: 'null removes the image; anything else is ignored' })),
  banner_image: Type.Optional(Type.Unsafe<unknown>({ description: 'As hero_image' })),
  photos: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The photos to keep, by their addresses, in this order; null or an empty list removes all',
    }),
  ),
};

const file = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ type: 'string', format: 'binary', description }));
const encoded = (description: string) => Type.Optional(Type.String({ description }));
const formFields = {
  name_en: encoded(`At most ${MAX_NAME_CHARACTERS} characters`),
  name_ar: encoded(`At most ${MAX_NAME_CHARACTERS} characters`),
  email: encoded('Contact address'),
  active: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['true', 'false'] })),
  status: Type.Optional(Status),
  location: encoded('JSON text'),
  working_hours: encoded('JSON text, in either style'),
  apple_maps_id: encoded('Place id'),
  google_maps_id: encoded('Place id'),
  time_zone: encoded('Such as Asia/Riyadh'),
  hero_image: file('jpg, png, webp or gif, at most 10 MB'),
  banner_image: file('jpg, png, webp or gif, at most 10 MB'),
  photos: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ type: 'string', format: 'binary' }), {
      maxItems: MAX_PHOTOS,
      description: 'Each jpg, png, webp or gif, at most 10 MB. A text part of this name lists photos to keep, as JSON',
    }),
  ),
};

const jsonOrForm = (json: object, form: object) => ({
  content: { 'application/json': { schema: json }, 'multipart/form-data': { schema: form } },
});

export const NewBranchBody = jsonOrForm(
  Type.Object(
    { iv_id: ivId, ...inputFields },
    { title: 'NewBranch', examples: [inputExample, { iv_id: 'RUH-YASMIN' }] },
  ),
  Type.Object({ iv_id: ivId, ...formFields }, { title: 'NewBranchForm', examples: [formExample] }),
);
const sameIvId = Type.Optional(Type.String({ description: 'May be repeated, not changed' }));
export const BranchChangeBody = jsonOrForm(
  Type.Object(
    { iv_id: sameIvId, ...inputFields, ...keptImages },
    { title: 'BranchChange', examples: [{ name_ar: 'الرياض، العليا الجديد', status: 'Published', email: null }] },
  ),
  Type.Object(
    { iv_id: sameIvId, ...formFields },
    { title: 'BranchChangeForm', examples: [{ name_ar: 'الرياض، العليا الجديد', active: 'true' }] },
  ),
);
export const WorkingHoursBody = Type.Object(
  { working_hours: WorkingHoursInput },
  { title: 'WorkingHoursChange', examples: [{ working_hours: weekdayExample }, { working_hours: periodsExample }] },
);
export const BulkBody = Type.Object(
  {
    mode: Type.Unsafe<BulkMode>({
      title: 'BulkMode',
      description: 'create fails on what exists, update on what does not',
      type: 'string',
      enum: [...BULK_MODES],
    }),
    branches: Type.Array(Type.Object({ iv_id: ivId, ...inputFields }, { title: 'NewBranch' }), {
      minItems: 1,
      maxItems: MAX_BULK_BRANCHES,
    }),
  },
  {
    title: 'BranchBulk',
    examples: [{ mode: 'upsert', branches: [inputExample, { iv_id: 'JED-RAWDAH', active: true }] }],
  },
);

export const BranchQuery = Type.Object({
  ...PageQuery,
  sort: Type.Optional(
    Type.String({ description: 'created, updated, iv_id, name_en, name_ar or status; a minus for descending' }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Only those that are active, or that are not' })),
  status: Type.Optional(
    Type.Unsafe<BranchStatus>({ ...Status, description: 'Only those in this status', examples: ['Published'] }),
  ),
  search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_CHARACTERS, description: 'In both names and the iv_id' })),
  near_lat: Type.Optional(
    Type.Number({ minimum: -90, maximum: 90, description: 'Around this place, nearest first; needs near_lon' }),
  ),
  near_lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Needs near_lat' })),
  radius_km: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 100, description: 'Of the circle around near_lat, near_lon; 10 by default' }),
  ),
  open_at: Type.Optional(Type.String({ description: 'RFC 3339: only branches that are open then', maxLength: 64 })),
});
export type BranchQueryShape = Static<typeof BranchQuery>;

export const DeleteQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ default: false, description: 'Delete its SKUs as well' })),
});

export const Branch = Type.Object(
  {
    id: Type.String(),
    iv_id: Type.String(),
    organization_id: Type.String(),
    name_en: Type.String(),
    name_ar: Type.String(),
    email: Type.String(),
    active: Type.Boolean(),
    status: Status,
    location: Type.Union([Location, Type.Null()]),
    apple_maps_id: Type.String(),
    google_maps_id: Type.String(),
    working_hours: Type.Unsafe<unknown>({ description: 'As it was sent; null when never' }),
    working_hours_periods: Type.Array(WorkingPeriodShape),
    is_open: Type.Boolean({ description: 'Now, by its hours and its own clock' }),
    time_zone: nullableText,
    hero_image: nullableText,
    banner_image: nullableText,
    photos: Type.Array(Type.String()),
    distance_km: Type.Optional(Type.Number({ description: 'Only in a search by place' })),
    created: Type.String(),
    updated: Type.String(),
  },
  { title: 'Branch', description: 'A place that sells or stores', examples: [branchExample] },
);
export type BranchShape = Static<typeof Branch>;

export const BranchList = Type.Object(listEnvelopeOf(Branch).properties, {
  title: 'BranchList',
  examples: [{ data: [branchExample], count: 1, total_count: 1, page: 1, limit: 20, has_next: false, meta: {} }],
});

export const BranchCreated = Type.Object(
  mutationEnvelopeOf(
    Type.Object({ id: Type.String(), iv_id: Type.String(), skus_generated: Type.Integer({ minimum: 0 }) }),
  ).properties,
  {
    title: 'BranchCreated',
    examples: [
      {
        success: true,
        message: 'Branch created',
        data: { id: branchExample.id, iv_id: branchExample.iv_id, skus_generated: 240 },
        timestamp: createdAt,
      },
    ],
  },
);

export const BranchChanged = Type.Object(mutationEnvelopeOf(Branch).properties, {
  title: 'BranchAnswer',
  examples: [{ success: true, message: 'Branch updated', data: branchExample, timestamp: createdAt }],
});

export const BulkAnswer = Type.Object(
  mutationEnvelopeOf(
    bulkOutcomeOf({ succeeded: 1, failed: 1, errors: { 'JED-RAWDAH': 'Branch iv_id already exists' } }),
  ).properties,
  {
    title: 'BulkAnswer',
    examples: [
      {
        success: true,
        message: '1 of 2 branches saved',
        data: { succeeded: 1, failed: 1, errors: { 'JED-RAWDAH': 'Branch iv_id already exists' } },
        timestamp: createdAt,
      },
    ],
  },
);
