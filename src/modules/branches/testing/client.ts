import { type Call, call, type Reply } from '../../../../test/harness/index.ts';
import type { ListEnvelope } from '../../../platform/http/envelopes.ts';
import type { BranchShape } from '../schema.ts';
import { type FormParts, formOf } from './images.ts';

type Refusal = { code: number; error: string; details: Record<string, unknown> };
type Mutation<Data> = { success: boolean; message: string; data: Data; timestamp: string };
type Created = { id: string; iv_id: string; skus_generated: number };
type BulkData = { succeeded: number; failed: number; errors: Record<string, string> };

/** The branch routes as one account calls them. Every answer may be a refusal; the tests look at the status first. */
export function branchClient(baseUrl: string, token: string) {
  const ask = <Body>(target: string, options: Call = {}): Promise<Reply<Body & Refusal>> =>
    call<Body & Refusal>(baseUrl, target, { token, ...options });
  const at = (ivId: string) => `/branches/${encodeURIComponent(ivId)}`;
  return {
    create: (body: unknown, headers?: Record<string, string>) =>
      ask<Mutation<Created>>('POST /branches', { body, headers }),
    createByForm: (form: FormParts | FormData, headers?: Record<string, string>) =>
      ask<Mutation<Created>>('POST /branches', { raw: form instanceof FormData ? form : formOf(form), headers }),
    createRaw: (raw: string | Buffer, contentType: string) =>
      ask<Mutation<Created>>('POST /branches', { raw, headers: { 'content-type': contentType } }),
    get: (ivId: string) => ask<BranchShape>(`GET ${at(ivId)}`),
    list: (query = '') => ask<ListEnvelope<BranchShape>>(`GET /branches${query}`),
    change: (ivId: string, body: unknown, headers?: Record<string, string>) =>
      ask<Mutation<BranchShape>>(`PUT ${at(ivId)}`, { body, headers }),
    changeByForm: (ivId: string, form: FormParts | FormData) =>
      ask<Mutation<BranchShape>>(`PUT ${at(ivId)}`, { raw: form instanceof FormData ? form : formOf(form) }),
    setHours: (ivId: string, body: unknown, headers?: Record<string, string>) =>
      ask<Mutation<BranchShape>>(`PUT ${at(ivId)}/working-hours`, { body, headers }),
    remove: (ivId: string, query = '') => ask(`DELETE ${at(ivId)}${query}`),
    bulk: (body: unknown, headers?: Record<string, string>) =>
      ask<Mutation<BulkData>>('POST /branches/bulk', { body, headers }),
  };
}

export type BranchClient = ReturnType<typeof branchClient>;
