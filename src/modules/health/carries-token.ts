import { createHash, timingSafeEqual } from 'node:crypto';

/** Compared in constant time. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}
