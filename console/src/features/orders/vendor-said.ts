import { DukkanError } from '@dukkan/sdk';

export type VendorSaid = { app: string; isRefusal: boolean; message: string | undefined };

/** The vendor's message, if the vendor refused a status change. */
export function vendorSaid(error: unknown): VendorSaid | undefined {
  if (!(error instanceof DukkanError) || error.status !== 502 || typeof error.details !== 'object') return undefined;
  const { app_slug, message } = (error.details ?? {}) as Partial<Record<string, unknown>>;
  if (typeof app_slug !== 'string') return undefined;
  return {
    app: app_slug,
    isRefusal: error.message === 'Vendor refused',
    message: typeof message === 'string' && message !== '' ? message : undefined,
  };
}
