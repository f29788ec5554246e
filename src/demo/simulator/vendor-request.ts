import { createHmac } from 'node:crypto';
import type { Install } from '../../modules/apps/index.ts';

/** A request as the vendor of an install sends it, with its own way of authentication. */
export type VendorRequest = { path: string; headers: Record<string, string>; body: string };

export function vendorRequest(install: Install, body: string): VendorRequest {
  const { id, app_slug, ingestToken } = install;
  const secret = install.settings.webhook_secret ?? '';
  return {
    path: `/ingest/${id}`,
    headers: { 'content-type': 'application/json', ...authenticationOf(app_slug, secret, ingestToken, body) },
    body,
  };
}

function authenticationOf(slug: string, secret: string, ingestToken: string, body: string): Record<string, string> {
  switch (slug) {
    case 'salla':
      return { 'x-salla-signature': createHmac('sha256', secret).update(body).digest('hex') };
    case 'zid':
    case 'hungerstation':
      return { authorization: secret };
    default:
      return { 'x-ingest-token': ingestToken };
  }
}
