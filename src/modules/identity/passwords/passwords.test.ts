import { describe, expect, it } from 'vitest';
import { hashPassword, passwordMatches, setPasswordCost, spendPasswordTime } from './passwords.ts';

setPasswordCost();

describe('passwords', () => {
  it('match themselves and nothing else', async () => {
    const stored = await hashPassword('correct horse');
    expect(await passwordMatches('correct horse', stored)).toBe(true);
    for (const wrong of ['Correct horse', 'correct horse ', '', 'correct hors']) {
      expect(await passwordMatches(wrong, stored)).toBe(false);
    }
  });

  it('are stored with a salt each, and not readable', async () => {
    const [first, second] = await Promise.all([hashPassword('same words'), hashPassword('same words')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('same words');
    expect(first).toMatch(/^scrypt\$32768\$8\$1\$/);
  });

  it('match however the keyboard composed them', async () => {
    const stored = await hashPassword('caf\u00e9 \u0623');
    expect(await passwordMatches('cafe\u0301 \u0627\u0654', stored)).toBe(true);
  });

  it('match what an earlier, cheaper setting stored', async () => {
    // scrypt('old password', 16 zero bytes, N=1024): made once with Node's own function.
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(16);
    const key = scryptSync('old password', salt, 32, { N: 1024, r: 8, p: 1 });
    const stored = `scrypt$1024$8$1$${salt.toString('base64')}$${key.toString('base64')}`;
    expect(await passwordMatches('old password', stored)).toBe(true);
    expect(await passwordMatches('new password', stored)).toBe(false);
  });

  it.each(['', 'plain', 'bcrypt$1$2$3$4$5', 'scrypt$', 'scrypt$32768$8$1$c2FsdA=='])(
    'never match %j',
    async (stored) => {
      expect(await passwordMatches('anything', stored)).toBe(false);
    },
  );

  it('cost an unknown user as much time as a known one', async () => {
    await spendPasswordTime('warm up');
    const stored = await hashPassword('x');
    // CPU time, not elapsed time: other processes may be using the machine.
    const timeOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage();
      await work();
      return process.cpuUsage(before).user;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      known.push(await timeOf(() => passwordMatches('y', stored)));
      unknown.push(await timeOf(() => spendPasswordTime('y')));
    }
    expect(Math.min(...unknown) / Math.min(...known)).toBeGreaterThan(0.5);
  });
});
