import { performance } from 'node:perf_hooks';
import {
  MissingCredentials,
  type VendorAnswer,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import { conflict, type Problem } from '../../platform/http/problem.ts';
import type { Install } from './install.ts';
import type { CallLimits } from './vendor-client.ts';

/** A read of one small record: more is not the answer to it. */
const LIMITS: CallLimits = { withinMs: 10_000, maxBytes: 512 * 1024, maxValues: 10_000 };
const MESSAGE_CHARACTERS = 500;

export type ConnectionResult = { ok: boolean; status_code: number | null; duration_ms: number; message: string };

/**
 * Calls the vendor's cheapest authenticated read with the install's address and credentials, within the deadline, the byte budget
 * and the concurrency limits of every vendor call. No transaction may be open. A refusal by the vendor is a result, not an error.
 */
export async function testConnection(
  install: Install,
  clientFor: (install: Install, limits?: CallLimits) => VendorClient,
): Promise<ConnectionResult> {
  const probe = findChannel(install.app_slug)?.probe;
  if (probe === undefined) throw noConnectionTest(install.app_slug);
  const startedMs = performance.now();
  const outcome = await attempt(() => probe(clientFor(install, LIMITS), install.settings));
  return { ...outcome, duration_ms: Math.round(performance.now() - startedMs) };
}

async function attempt(call: () => Promise<VendorAnswer>): Promise<Omit<ConnectionResult, 'duration_ms'>> {
  try {
    const { status } = await call();
    return { ok: true, status_code: status, message: '' };
  } catch (error) {
    if (error instanceof VendorRefused) return failed(error.vendorStatus, error.message);
    if (error instanceof VendorUnavailable || error instanceof MissingCredentials) return failed(null, error.message);
    throw error;
  }
}

function failed(statusCode: number | null, message: string) {
  return { ok: false, status_code: statusCode, message: [...message].slice(0, MESSAGE_CHARACTERS).join('') };
}

export function noConnectionTest(appSlug: string): Problem {
  return conflict('App has no connection test', { app_slug: appSlug });
}
