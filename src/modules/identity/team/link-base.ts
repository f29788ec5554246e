import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../../platform/http/problem.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/**
 * Where links lead: PUBLIC_URL, or else to where the request came in. What a proxy forwards counts only where it is
 * trusted; the framework sees to that.
 */
export function linkBaseOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const base = `${protocol}://${host}`;
  if (!/^https?$/.test(protocol) || !HOST.test(host) || !URL.canParse(base)) {
    throw badRequest({ host: 'names no place that a link could lead to' });
  }
  return new URL(base).origin;
}

/** Behind the hash, which browsers keep to themselves: no log on the way holds the token. */
export function inviteUrl(base: string, token: string): string {
  return `${base}/invite#token=${token}`;
}

export function passwordResetUrl(base: string, token: string): string {
  return `${base}/reset-password#token=${token}`;
}
