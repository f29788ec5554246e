import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { hashToken } from '../opaque-tokens.ts';
import { createRefreshTokens } from './refresh-tokens.ts';

const tokens = createRefreshTokens('a secret for tests only, long enough');
const sessionId = newId();
const random = () => randomBytes(32).toString('base64url');

describe('refresh tokens', () => {
  it('name their login and their number, and are the same when recomputed', () => {
    const token = tokens.issue(sessionId, 7);
    expect(token).toMatch(/^dkr_/);
    expect(token.length).toBeLessThan(200);
    expect(tokens.read(token)).toEqual({ sessionId, number: 7, unnumberedHash: null });
    expect(tokens.issue(sessionId, 7)).toBe(token);
    expect(tokens.issue(sessionId, 8)).not.toBe(token);
    expect(tokens.issue(newId(), 7)).not.toBe(token);
  });

  it('from before they were numbered are recognised by their hash', () => {
    const token = `dkr_${sessionId}.${random()}`;
    expect(tokens.read(token)).toEqual({ sessionId, number: 0, unnumberedHash: hashToken(token) });
  });

  const [head, number, signature] = tokens.issue(sessionId, 7).split('.');
  it.each([
    ['another number', `${head}.8.${signature}`],
    ['another spelling of the number', `${head}.07.${signature}`],
    ['another login', `dkr_${newId()}.${number}.${signature}`],
    ['another spelling of the login', `dkr_${sessionId.toUpperCase()}.${number}.${signature}`],
    ['a made-up signature', `${head}.${number}.${random()}`],
    ['a signature cut short', `${head}.${number}.${signature?.slice(0, 42)}`],
    ['a signature under another secret', createRefreshTokens('another secret of some length').issue(sessionId, 7)],
    ['number nought', `${head}.0.${random()}`],
    ['nothing', ''],
    ['a prefix', 'dkr_'],
    ['words', 'dkr_nonsense.x'],
    ['another kind', `dks_${newId()}.${random()}`],
    ['a bare id', newId()],
  ])('are not: %s', (_what, text) => {
    expect(tokens.read(text)).toBeUndefined();
  });
});
