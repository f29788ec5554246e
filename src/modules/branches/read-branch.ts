import { badRequest } from '../../platform/http/problem.ts';
import { compileItemValidator, type FieldErrors } from '../../platform/http/validation.ts';
import { type BranchFields, type BranchPatch, DEFAULT_FIELDS } from './fields.ts';
import { parseLocation } from './geo.ts';
import { isKnownTimeZone } from './opening.ts';
import { type BranchInput, CheckedFields, IvId } from './schema.ts';
import { parseWorkingHours } from './working-hours.ts';

// One @, a dot inside the host, no white space.
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

// 140 periods, the most there can be, take under 15,000 characters; the rest of what a client adds is kept as sent.
const MAX_WORKING_HOURS_CHARACTERS = 32_768;

const checkFields = compileItemValidator(CheckedFields);
const checkIvId = compileItemValidator(IvId);

export type ReadBranch = { patch: BranchPatch; errors: FieldErrors };

/** Absent stays absent, null becomes the default. Members that are no fields of a branch are ignored. */
export function readBranchFields(body: Record<string, unknown>): ReadBranch {
  const errors: FieldErrors = { ...checkFields(body) };
  // Members whose form is wrong are in `errors`, so that the patch is then never used.
  const input = body as BranchInput;
  const patch: BranchPatch = {};
  const take = <Field extends keyof BranchPatch>(field: Field, value: BranchPatch[Field] | null | undefined) => {
    if (value !== undefined) patch[field] = value ?? DEFAULT_FIELDS[field];
  };
  take('name_en', input.name_en);
  take('name_ar', input.name_ar);
  take('email', input.email);
  take('active', input.active);
  take('status', input.status);
  take('apple_maps_id', input.apple_maps_id);
  take('google_maps_id', input.google_maps_id);
  take('time_zone', input.time_zone);
  if (patch.email && !errors.email && !EMAIL.test(patch.email)) errors.email = 'must be an email address';
  if (typeof patch.time_zone === 'string' && !errors.time_zone && !isKnownTimeZone(patch.time_zone)) {
    errors.time_zone = 'must be a time zone such as Asia/Riyadh';
  }
  Object.assign(errors, readLocation(body.location, patch), readWorkingHours(body.working_hours, patch));
  return { patch, errors };
}

function readLocation(value: unknown, patch: BranchPatch): FieldErrors {
  if (value === undefined) return {};
  if (value === null) {
    setLocation(patch, { lat: null, lon: null, city: null });
    return {};
  }
  const parsed = parseLocation(value);
  if (!parsed.ok) return parsed.errors;
  setLocation(patch, { city: null, ...parsed.location });
  return {};
}

function setLocation(patch: BranchPatch, location: Pick<BranchFields, 'lat' | 'lon' | 'city'>): void {
  Object.assign(patch, location);
}

function readWorkingHours(value: unknown, patch: BranchPatch): FieldErrors {
  if (value === undefined) return {};
  if (value === null) {
    patch.working_hours = null;
    patch.working_hours_periods = [];
    return {};
  }
  const parsed = parseWorkingHours(value);
  if (!parsed.ok) return parsed.errors;
  if (JSON.stringify(value).length > MAX_WORKING_HOURS_CHARACTERS) {
    return { working_hours: `must be at most ${MAX_WORKING_HOURS_CHARACTERS} characters of JSON` };
  }
  patch.working_hours = value;
  patch.working_hours_periods = parsed.periods;
  return {};
}

export type NewBranchInput = { ivId: string; patch: BranchPatch; errors: FieldErrors };

export function readNewBranch(body: Record<string, unknown>): NewBranchInput {
  const { patch, errors } = readBranchFields(body);
  const ivIdErrors = checkIvId(body) ?? {};
  return { ivId: String(body.iv_id ?? ''), patch, errors: { ...ivIdErrors, ...errors } };
}

/** The iv_id is the branch's address: a body may repeat it but not change it. */
export function readBranchChange(body: Record<string, unknown>, ivId: string): ReadBranch {
  const { patch, errors } = readBranchFields(body);
  if (body.iv_id !== undefined && body.iv_id !== ivId) errors.iv_id = 'cannot be changed';
  return { patch, errors };
}

export function requireObject(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) throw badRequest('A JSON request body is required');
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest({ body: 'must be an object' }, 'Validation failed');
  }
  return body as Record<string, unknown>;
}

export function refuseInvalid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw badRequest(errors, 'Validation failed');
}
