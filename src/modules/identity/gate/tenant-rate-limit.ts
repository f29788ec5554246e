import type { App } from '../../../platform/http/app.ts';
import { tooManyRequests } from '../../../platform/http/problem.ts';

/** One count per organization for all members and keys. Each node counts for itself. */
export function limitTenants(app: App, perMinute: number): void {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.principal?.membership?.organization.id ?? '',
  });
  app.addHook('onRequest', async (request) => {
    if (request.principal?.membership === undefined) return;
    const limit = await count(request);
    if (!limit.isAllowed && limit.isExceeded) throw tooManyRequests(limit.max, limit.ttl);
  });
}
