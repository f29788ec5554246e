import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../../platform/http/problem.ts';
import type { FieldErrors } from '../../../platform/http/validation.ts';
import { type FormFile, readForm, type Upload } from '../../files/index.ts';
import { MAX_ALT_CHARACTERS } from './schema.ts';

const TEXTS = ['alt_en', 'alt_ar'] as const;
const FORM_RULES = { fields: [...TEXTS, 'file'], files: { file: 1 }, accept: 'photo' } as const;

export type ImageForm = { file: FormFile; alt_en: string; alt_ar: string; fingerprint: unknown };

/** The file is in the store by then, not yet claimed. Faults are 400 by field, as on the other routes that take images. */
export async function readImageForm(request: FastifyRequest, upload: Upload): Promise<ImageForm> {
  if (!request.isMultipart()) {
    throw badRequest({ file: 'is required, in a form (multipart/form-data)' }, 'Validation failed');
  }
  const { fields, files, errors: found } = await readForm(request, upload, FORM_RULES);
  const [file] = files;
  const errors: FieldErrors = { ...found };
  if (file === undefined) errors.file ??= fields.file ? 'must be a file' : 'is required';
  const [alt_en = '', alt_ar = ''] = TEXTS.map((name) => {
    const value = fields[name] ?? '';
    if (typeof value !== 'string') errors[name] = 'must be a string';
    else if (value.length > MAX_ALT_CHARACTERS) errors[name] = `must have at most ${MAX_ALT_CHARACTERS} characters`;
    else return value;
    return '';
  });
  if (file === undefined || Object.keys(errors).length > 0) throw badRequest(errors, 'Validation failed');
  return { file, alt_en, alt_ar, fingerprint: { fields, sha256: file.sha256 } };
}
