import type { FastifyRequest } from 'fastify';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { judgeFormBody } from '../../platform/http/unknown-names.ts';
import type { FieldErrors } from '../../platform/http/validation.ts';
import { type Form, type FormFile, readForm, type Upload } from '../files/index.ts';
import { requireObject } from './read-branch.ts';
import { MAX_PHOTOS } from './schema.ts';
import type { ImageChange } from './update-branch.ts';

const TEXT_FIELDS = ['iv_id', 'name_en', 'name_ar', 'email', 'active', 'status', 'time_zone'] as const;
const MAP_FIELDS = ['apple_maps_id', 'google_maps_id'] as const;
const JSON_FIELDS = ['location', 'working_hours'] as const;
const IMAGE_FIELDS = ['hero_image', 'banner_image'] as const;

const FORM_RULES = {
  fields: [...TEXT_FIELDS, ...MAP_FIELDS, ...JSON_FIELDS, ...IMAGE_FIELDS, 'photos'],
  files: { hero_image: 1, banner_image: 1, photos: MAX_PHOTOS },
  accept: 'image',
} as const;

export type BranchRequest = {
  body: Record<string, unknown>;
  images: ImageChange;
  errors: FieldErrors;
  /** What makes two requests the same one; undefined where the parsed body does. */
  fingerprint: unknown;
};

/** A branch as JSON or as a form, in one shape. Files of a form are in the store by then, not yet claimed. */
export async function readBranchRequest(request: FastifyRequest, upload: Upload): Promise<BranchRequest> {
  if (!request.isMultipart()) {
    const body = requireObject(request.body);
    const errors: FieldErrors = {};
    return { body, images: imagesOfJson(body, errors), errors, fingerprint: undefined };
  }
  const form = await readForm(request, upload, FORM_RULES);
  const errors: FieldErrors = {};
  const body = bodyOfForm(form, errors);
  judgeFormBody(request, body);
  const images = imagesOfForm(form, errors);
  const files = form.files.map(({ field, sha256 }) => ({ field, sha256 }));
  return { body, images, errors: { ...errors, ...form.errors }, fingerprint: { fields: form.fields, files } };
}

/** An empty field is how a form writes null. */
function bodyOfForm({ fields }: Form, errors: FieldErrors): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of [...TEXT_FIELDS, ...MAP_FIELDS]) {
    const value = fields[field];
    if (value !== undefined) body[field] = value === '' && field !== 'iv_id' ? null : value;
  }
  if (body.active === 'true') body.active = true;
  if (body.active === 'false') body.active = false;
  for (const field of JSON_FIELDS) {
    const value = readEncoded(fields[field]);
    if (value === NOT_JSON) errors[field] = 'must be JSON text';
    else if (value !== undefined) body[field] = value;
  }
  return body;
}

const NOT_JSON = Symbol('not JSON');

/** A part that declares itself JSON is parsed already. */
function readEncoded(value: unknown): unknown {
  if (value === '') return null;
  if (typeof value !== 'string') return value;
  try {
    return parseJsonBody(Buffer.from(value));
  } catch {
    return NOT_JSON;
  }
}

function imagesOfForm({ fields, files }: Form, errors: FieldErrors): ImageChange {
  const images: ImageChange = {};
  const keysOf = (name: string): string[] =>
    files.filter((file: FormFile) => file.field === name).map(({ key }) => key);
  for (const field of IMAGE_FIELDS) {
    const [key] = keysOf(field);
    const text = readEncoded(fields[field]);
    if (key !== undefined) images[field] = key;
    else if (text === null) images[field] = null;
    else if (text !== undefined) errors[field] = 'must be a file';
  }
  const added = keysOf('photos');
  const kept = readKept(readEncoded(fields.photos), errors);
  if (kept !== undefined || added.length > 0) images.photos = { kept: kept ?? [], added };
  return images;
}

function imagesOfJson(body: Record<string, unknown>, errors: FieldErrors): ImageChange {
  const images: ImageChange = {};
  // Anything but null is what an earlier answer said, sent back: the image stays.
  for (const field of IMAGE_FIELDS) if (body[field] === null) images[field] = null;
  const kept = readKept(body.photos, errors);
  if (kept !== undefined) images.photos = { kept, added: [] };
  return images;
}

function readKept(value: unknown, errors: FieldErrors): string[] | undefined {
  if (value === undefined) return undefined;
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  errors.photos = 'must be files, or a list of addresses of photos to keep';
  return undefined;
}
