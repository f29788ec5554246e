import type { FastifyRequest } from 'fastify';

/** What a login shows of the program that uses it. */
export type Client = { ip: string; userAgent: string };

const MAX_USER_AGENT_CHARACTERS = 255;

export function clientOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Client {
  return { ip, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_CHARACTERS) };
}
