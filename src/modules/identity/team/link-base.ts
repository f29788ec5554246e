import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

type Addressed = Pick<FastifyRequest, 'protocol'> & {
  headers: { host?: string | undefined };
  raw: { socket: { localAddress?: string | undefined; localPort?: number | undefined } };
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where links lead: PUBLIC_URL, or else the address that this service listens on. A client writes the Host header, and proxies
 * pass it on as X-Forwarded-Host: a link that followed it would carry an invitation's token to a host of the client's
 * choice. The header is followed only where it names this service by loopback, with the port of a tunnel or a mapped
 * container perhaps, or by the address that the connection came in at.
 */
export function linkBaseOf({ protocol, headers, raw }: Addressed, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { localAddress = '127.0.0.1', localPort } = raw.socket;
  const address = localAddress.replace(/^::ffff:|%.*$/g, '');
  const own = new URL(`http://${isIPv6(address) ? `[${address}]` : address}${localPort ? `:${localPort}` : ''}`);
  const scheme = protocol === 'https' ? 'https' : 'http';
  const named = `${scheme}://${headers.host ?? ''}`;
  if (!URL.canParse(named)) return own.origin;
  const { origin, hostname, host, href } = new URL(named);
  const isOwn = href === `${origin}/` && (LOOPBACK.test(hostname) || host === own.host);
  return isOwn ? origin : own.origin;
}

/** Behind the hash, which browsers keep to themselves: no log on the way holds the token. */
export function inviteUrl(base: string, token: string): string {
  return `${base}/invite#token=${token}`;
}

export function passwordResetUrl(base: string, token: string): string {
  return `${base}/reset-password#token=${token}`;
}

export function resetLinkShape(base: string, { token, expiresAt }: { token: string; expiresAt: Date }) {
  return { reset_url: passwordResetUrl(base, token), expires_at: expiresAt.toISOString() };
}
