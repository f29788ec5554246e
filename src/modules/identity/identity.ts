import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { IdentityCache } from './gate/identity-cache.ts';
import type { Jwts } from './logins/jwt.ts';
import type { RefreshTokens } from './logins/refresh-tokens.ts';
import type { PasswordHashQueue } from './passwords/password-hash-queue.ts';
import type { WrongPasswords } from './passwords/wrong-passwords.ts';

/** What the identity rules work with. */
export type Identity = {
  sql: Sql;
  clock: Clock;
  cache: IdentityCache;
  jwts: Jwts;
  refreshTokens: RefreshTokens;
  passwordHashQueue: PasswordHashQueue;
  wrongPasswords: WrongPasswords;
  /** Holds the secrets of second factors. */
  box: SecretBox;
};
