import { MissingCredentials, VendorRefused, VendorUnavailable } from '../../channels/contract.ts';
import { conflict, Problem } from '../../platform/http/problem.ts';

const MESSAGE_CHARACTERS = 500;
const shortened = (message: string) => [...message].slice(0, MESSAGE_CHARACTERS).join('');

export function vendorRefused(appSlug: string, vendorStatus: number, message: string): Problem {
  const details = { app_slug: appSlug, vendor_status: vendorStatus, message: shortened(message) };
  return new Problem(502, 'Vendor refused', details);
}

export function vendorUnavailable(appSlug: string, message: string): Problem {
  return new Problem(502, 'Vendor unavailable', { app_slug: appSlug, message: shortened(message) });
}

export function credentialsMissing(appSlug: string, setting: string): Problem {
  return conflict('Credentials missing', { app_slug: appSlug, setting });
}

/** Maps the errors of a vendor client to problems: 502, or 409 if the install lacks a setting. Returns any other error unchanged. */
export function vendorProblem(appSlug: string, error: unknown): unknown {
  if (error instanceof VendorRefused) return vendorRefused(appSlug, error.vendorStatus, error.message);
  if (error instanceof VendorUnavailable) return vendorUnavailable(appSlug, error.message);
  if (error instanceof MissingCredentials) return credentialsMissing(appSlug, error.setting);
  return error;
}
