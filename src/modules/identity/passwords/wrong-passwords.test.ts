import { describe, expect, it } from 'vitest';
import { movableClock } from '../../../platform/clock.ts';
import { callerNetwork } from '../caller-network.ts';
import { createWrongPasswords, TRIES_PER_ACCOUNT, TRIES_PER_ADDRESS, WINDOW_MS } from './wrong-passwords.ts';

const EMAIL = 'Owner@tests.example';
const wrong = async () => false;
const right = async () => true;

function newCounts() {
  const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
  const { judge } = createWrongPasswords(clock);
  const repeat = async (times: number, address: string, check = wrong) => {
    for (let time = 0; time < times; time += 1) await judge(EMAIL, address, check);
  };
  return { clock, judge, repeat };
}

const refused = { status: 429, headers: { 'retry-after': expect.any(String) } };

describe('wrong passwords', () => {
  it('are counted for each address, whatever the case of the letters, until the window is over', async () => {
    const { clock, judge, repeat } = newCounts();
    await repeat(TRIES_PER_ADDRESS, '10.0.0.1');
    clock.advanceMs(60_000);
    await expect(judge(EMAIL.toUpperCase(), '10.0.0.1', right)).rejects.toMatchObject({
      status: 429,
      details: { limit: TRIES_PER_ADDRESS, retry_after_seconds: 240 },
      headers: { 'retry-after': '240' },
    });
    expect(await judge(EMAIL, '10.0.0.2', right)).toBe(true);
    expect(await judge('another@tests.example', '10.0.0.1', right)).toBe(true);
    clock.advanceMs(WINDOW_MS - 60_000);
    expect(await judge(EMAIL, '10.0.0.1', right)).toBe(true);
  });

  it('are counted before they are judged: a hundred at once are no more than ten in a row', async () => {
    const { judge } = newCounts();
    const gate = Promise.withResolvers<boolean>();
    const tries = Array.from({ length: 100 }, () => judge(EMAIL, '10.0.0.1', () => gate.promise));
    gate.resolve(false);
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(TRIES_PER_ADDRESS);
  });

  it('are forgiven by the right one; a check that breaks is none', async () => {
    const { judge, repeat } = newCounts();
    const broken = () => Promise.reject(new Error('no database'));
    for (let time = 0; time < 20; time += 1)
      await expect(judge(EMAIL, '10.0.0.1', broken)).rejects.toThrow('no database');
    await repeat(TRIES_PER_ADDRESS - 1, '10.0.0.1');
    expect(await judge(EMAIL, '10.0.0.1', right)).toBe(true);
    await repeat(TRIES_PER_ADDRESS, '10.0.0.1');
    await expect(judge(EMAIL, '10.0.0.1', right)).rejects.toMatchObject(refused);
  });

  it('from many networks close the account to unknown networks, not to those that signed in before', async () => {
    const { judge, repeat } = newCounts();
    await repeat(1, 'home', right);
    for (let address = 0; address < TRIES_PER_ACCOUNT / 5; address += 1) await repeat(5, `10.0.1.${address}`);
    await expect(judge(EMAIL, 'new address', right)).rejects.toMatchObject(refused);
    expect(await judge(EMAIL, 'home', right)).toBe(true);
    await repeat(TRIES_PER_ADDRESS, 'home');
    await expect(judge(EMAIL, 'home', right)).rejects.toMatchObject(refused);
  });
});

describe('whom an address counts as', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:bbbb::2', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['unknown', 'unknown'],
  ])('%s: %s', (ip, network) => {
    expect(callerNetwork(ip)).toBe(network);
  });
});
