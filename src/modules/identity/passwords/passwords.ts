import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

// 32 MB and about 60 ms a guess. scrypt over argon2: it is memory-hard too and stable in Node itself, no native package.
const USUAL_COST = { N: 2 ** 15, r: 8, p: 1 };
let cost = USUAL_COST;
const KEY_BYTES = 32;
export const MIN_PASSWORD_CHARACTERS = 8;
export const MAX_PASSWORD_CHARACTERS = 256;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), { N: Number(n), r: Number(r), p: Number(p) });
  return timingSafeEqual(actual, expected);
}

let decoy: Promise<string> | undefined;

/**
 * For tests, half of whose CPU time was hashing: 10 of 23 s for logins, passwords and teams. No setting leads here. Without `N` the cost is
 * the usual one again, for tests of the cost itself and of what waits for hashes.
 */
export function setPasswordCost(N: number = USUAL_COST.N): void {
  cost = { ...USUAL_COST, N };
  decoy = undefined;
}

/** Spends the time of a real comparison, so that an unknown email answers no faster than a wrong password. */
export async function spendPasswordTime(password: string): Promise<false> {
  decoy ??= hashPassword(randomBytes(8).toString('hex'));
  await passwordMatches(password, await decoy);
  return false;
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
