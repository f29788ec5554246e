import { createHash, timingSafeEqual } from 'node:crypto';

/** Compared in the same time whatever is wrong with it. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}
