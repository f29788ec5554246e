import { Problem } from '../../../platform/http/problem.ts';

type Link = { expires_at: Date; ended_at: Date | null };

/** A link that ended is 410; one that never existed is 404. */
export function requireOpen(link: Link, what: string, now: Date): void {
  if (link.ended_at !== null) throw linkGone(what);
  if (link.expires_at <= now) throw new Problem(410, `${what} has expired`, { token: 'has expired' });
}

export function linkGone(what: string): Problem {
  return new Problem(410, `${what} is no longer valid`, { token: 'was used or withdrawn' });
}
