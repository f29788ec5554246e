import { describe, expect, it } from 'vitest';
import { hashToken, isOpaque, newOpaqueToken } from './opaque-tokens.ts';

describe('opaque tokens', () => {
  it('say what they are, hide what they hold, and are never the same', () => {
    const made = Array.from({ length: 100 }, () => newOpaqueToken('session'));
    expect(new Set(made.map(({ token }) => token)).size).toBe(100);
    for (const { token, hash, hint } of made) {
      expect(token).toMatch(/^dks_[\w-]{43}$/);
      expect(hash.equals(hashToken(token))).toBe(true);
      expect(token.endsWith(hint)).toBe(true);
      expect(hint).toHaveLength(4);
      expect(isOpaque(token, 'session')).toBe(true);
      expect(isOpaque(token, 'api_key')).toBe(false);
    }
  });
});
