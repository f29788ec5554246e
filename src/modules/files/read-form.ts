import multipart, { type MultipartFile, type MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import {
  FileStoreError,
  MAX_UPLOAD_BYTES,
  type ReceivedFile,
  UploadError,
  type UploadRules,
} from '../../platform/files/index.ts';
import type { App } from '../../platform/http/app.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { badRequest, unavailable, unprocessable } from '../../platform/http/problem.ts';
import { judgeFormNames } from '../../platform/http/unknown-names.ts';
import type { FieldErrors } from '../../platform/http/validation.ts';
import { formParts, MAX_PARTS, unreadable } from './form-parts.ts';
import { startUpload, type Upload } from './receive-files.ts';
import type { FileTools } from './remove-files.ts';

const MAX_FIELD_BYTES = 256 * 1024;

export type FormRules = {
  /** Text fields by name; others are ignored, and named in the answer. */
  fields: readonly string[];
  /** File fields by name, with how many each may hold; others are ignored. */
  files: Readonly<Record<string, number>>;
  accept: UploadRules['accept'];
};

/** `filename` is the client's word for it, made fit to be shown; empty where there was none. */
export type FormFile = ReceivedFile & { field: string; filename: string };

/** `errors` has what is wrong with single fields; the caller adds its own before it refuses. */
export type Form = {
  fields: Record<string, unknown>;
  files: FormFile[];
  errors: FieldErrors;
  /** Among the errors is a file that is too large, or one too many. */
  isTooMuch: boolean;
};

/** Names of parts: whether one of ours was among them, and those that are none. */
type Names = { hasKnown: boolean; unknown: Set<string> };

declare module 'fastify' {
  interface FastifyRequest {
    upload: Upload | null;
  }
}

/**
 * For the scope whose routes take forms: everywhere else multipart stays a wrong content type. Before any answer of
 * these routes leaves, the files that came with the request and found no use are gone.
 */
export async function installForms(scope: App): Promise<void> {
  await scope.register(multipart, {
    // One byte more than allowed is read, which distinguishes too long from the exact limit; the rest is dropped unread.
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_UPLOAD_BYTES + 1, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS, headerPairs: 100 },
  });
  scope.decorateRequest('upload', null);
  scope.addHook('onSend', async (request, _reply, payload) => {
    await request.upload?.settle();
    return payload;
  });
}

/** Where `readForm` puts the files of this request, to be claimed by the transaction that uses them. */
export function openUpload(request: FastifyRequest, tools: FileTools, ownerId: string): Upload {
  const upload = startUpload(tools, ownerId);
  request.upload = upload;
  return upload;
}

/**
 * Reads a form to its end even when part of it is refused: a client that is still sending would not see an earlier
 * answer, and this way it learns about every wrong field at once. After the first fault no further file is stored.
 */
export async function readForm(request: FastifyRequest, upload: Upload, rules: FormRules): Promise<Form> {
  const form: Form = { fields: {}, files: [], errors: {}, isTooMuch: false };
  const names: Names = { hasKnown: false, unknown: new Set() };
  const counts = new Map<string, number>();
  let failure: unknown;
  let cutOff = false;

  for await (const part of formParts(request)) {
    if (part.type === 'field') takeField(part, rules, form, names);
    else await takeFile(part);
  }
  if (failure instanceof FileStoreError) throw unavailable('The file store cannot be reached').because(failure);
  if (failure !== undefined) throw failure;
  if (cutOff) throw unreadable(undefined);
  const known = [...new Set([...rules.fields, ...Object.keys(rules.files)])];
  judgeFormNames(request, { known, unknown: [...names.unknown], hasKnown: names.hasKnown });
  return form;

  async function takeFile(part: MultipartFile): Promise<void> {
    const field = plainName(part.fieldname);
    const most = Object.hasOwn(rules.files, field) ? rules.files[field] : undefined;
    note(names, field, most !== undefined);
    const count = (counts.get(field) ?? 0) + 1;
    counts.set(field, count);
    if (most !== undefined && count > most) {
      form.errors[field] = most === 1 ? 'only one file is allowed' : `at most ${most} files are allowed`;
      form.isTooMuch = true;
    }
    if (most === undefined || failure !== undefined || Object.keys(form.errors).length > 0) {
      part.file.resume();
      return;
    }
    try {
      const file = await upload.receive(part.file, { maxBytes: MAX_UPLOAD_BYTES, accept: rules.accept });
      form.files.push({ field, ...file, filename: shownName(part.filename) });
    } catch (error) {
      if (error instanceof UploadError) {
        // How a browser sends a file input that was left empty.
        if (error.reason === 'empty' && !part.filename) counts.set(field, count - 1);
        else form.errors[field] = error.message;
        form.isTooMuch ||= error.reason === 'too_large';
      } else if (part.file.errored) cutOff = true;
      else failure = error;
    }
  }
}

/** Where faults of fields are 422: too much of a file is 400 everywhere. */
export function refuseForm({ isTooMuch }: Form, errors: FieldErrors): void {
  if (Object.keys(errors).length === 0) return;
  throw isTooMuch ? badRequest(errors, 'Validation failed') : unprocessable(errors);
}

function note(names: Names, name: string, isKnown: boolean): void {
  if (isKnown) names.hasKnown = true;
  else names.unknown.add(name);
}

function takeField(part: MultipartValue, rules: FormRules, form: Form, names: Names): void {
  const name = plainName(part.fieldname);
  const isKnown = rules.fields.includes(name);
  note(names, name, isKnown);
  if (!isKnown) return;
  if (Object.hasOwn(form.fields, name)) {
    form.errors[name] = 'was sent more than once';
    return;
  }
  if (part.valueTruncated) {
    form.errors[name] = `must be at most ${MAX_FIELD_BYTES} bytes`;
    return;
  }
  try {
    const json = JSON.stringify(part.value);
    // The parser writes this character for bytes that are not UTF-8. Sent as such it says that the text was lost before.
    if (json.includes('\u{fffd}')) form.errors[name] = 'must be UTF-8';
    // The same gate as for JSON bodies: depth, NUL characters, lone surrogates.
    else form.fields[name] = parseJsonBody(Buffer.from(json));
  } catch {
    form.errors[name] = 'cannot be stored';
  }
}

const MAX_FILENAME_CHARACTERS = 200;

/** Letters of any script, digits and a few signs; nothing that could be a path, a header or a tag. */
function shownName(filename: string | undefined): string {
  const shown = (filename ?? '').replaceAll(/[^\p{L}\p{M}\p{N} ._()-]/gu, '_').slice(-MAX_FILENAME_CHARACTERS);
  return shown.toWellFormed().trim();
}

/** Some clients mark a repeated field with brackets. */
function plainName(fieldname: string | undefined): string {
  return (fieldname ?? '').replace(/\[\]$/, '');
}
