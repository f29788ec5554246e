import { createFairLimiter, type FairLimiter, type FairLimiterOptions } from '../../platform/fair-limiter/index.ts';

export type VendorCallLimits = FairLimiterOptions<never>;

/**
 * Limits concurrent calls to vendors. The tenant of a slot is the organization, its target the install, its host the vendor's. Each
 * has a share of the whole, and the last quarter is reserved for organizations with few calls running, so that a few slow vendors do
 * not delay all other organizations.
 *
 * A response may have 4 MB: 128 at once are half a gigabyte in the worst case. Vendors allow about one call a second and install
 * (60 a minute at Zid and HungerStation), and most respond within a second.
 */
const LIMITS: VendorCallLimits = {
  maxConcurrent: 128,
  maxConcurrentPerHost: 64,
  maxConcurrentPerTenant: 16,
  maxConcurrentPerTarget: 8,
  reserved: { slots: 32, fewerThan: 4 },
  maxQueued: 2000,
  maxQueuedPerTenant: 400,
  maxQueuedPerSubqueue: 200,
  // With less time left the call would end before its connection is open.
  minRemainingMs: 100,
};

export function createVendorCallLimiter(changes: VendorCallLimits = {}): FairLimiter {
  return createFairLimiter({ ...LIMITS, ...changes });
}
