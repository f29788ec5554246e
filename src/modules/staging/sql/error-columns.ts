import type { PayloadError, StagedPayload } from '../staged-payload.ts';

export function errorColumns(
  error: PayloadError | null,
): Pick<StagedPayload, 'error_code' | 'error_message' | 'error_path'> {
  return {
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    error_path: error?.path ?? null,
  };
}
