import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { findFaultInDatabaseUrl } from './database/database-url.ts';
import { parseNetworks } from './outbound/address-policy.ts';

export type Role = 'api' | 'worker';
export type LogFormat = 'auto' | 'pretty' | 'json';

/** Which proxies may set the client address: a number of hops, or networks. */
export type TrustProxy = false | { hops: number } | { networks: string };

export type FileStoreSettings =
  | { driver: 'local'; folder: string }
  | {
      driver: 's3';
      endpoint: string;
      region: string;
      bucket: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

/** How to reach the buckets of backups. */
export type BackupS3Settings = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };

/** Settings of the platform. A module has its own `settings.ts`; `src/settings.ts` combines them. */
export type Config = {
  port: number;
  host: string;
  /** Absent: the embedded server under `dataDir` is used. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  /** Migrate even while an older service is connected. */
  migrateByForce: boolean;
  dataDir: string;
  /** Where `dukkan backup` and `dukkan restore` look without an option: a folder or `s3://bucket/prefix`. */
  backupTarget: string | undefined;
  /** Absent: backups go to folders only. */
  backupS3: BackupS3Settings | undefined;
  /** Absent until the embedded start has generated or read it. */
  secret: string | undefined;
  environment: string;
  logLevel: string;
  /** `auto` is readable lines on a terminal and JSON elsewhere. */
  logFormat: LogFormat;
  roles: ReadonlySet<Role>;
  /** `*` alone lets every origin in. */
  corsOrigins: string[];
  trustProxy: TrustProxy;
  rateLimitPerMinute: number;
  maxInFlightRequests: number;
  /** 0 is no limit. */
  maxConnectionsPerAddress: number;
  /** How long a process that was asked to stop still serves requests while `/health` answers 503. */
  drainSeconds: number;
  files: FileStoreSettings;
  /** Unknown settings, reported once at startup. */
  warnings: string[];
};

/** An invalid setting. The operator sees its message as one line. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOG_FORMATS: readonly LogFormat[] = ['auto', 'pretty', 'json'];
const ROLES: readonly Role[] = ['api', 'worker'];
export const MIN_SECRET_CHARACTERS = 16;

/** Reads settings by their names in the environment. Empty or blank values count as absent. */
export type SettingReader = {
  text(name: string, fallback: string): string;
  optional(name: string): string | undefined;
  integer(name: string, fallback: number, min: number, max: number): number;
  flag(name: string, fallback: boolean): boolean;
  /** Every name read so far. */
  asked(): string[];
  /** The full path of a file that can be read. */
  readableFile(name: string): string | undefined;
};

export function settingReader(env: Record<string, string | undefined>, cwd: string): SettingReader {
  const asked = new Set<string>();
  const optional = (name: string) => {
    asked.add(name);
    return env[name]?.trim() || undefined;
  };
  return {
    optional,
    asked: () => [...asked],
    text: (name, fallback) => optional(name) ?? fallback,
    integer(name, fallback, min, max) {
      const raw = optional(name);
      if (raw === undefined) return fallback;
      if (!/^\d+$/.test(raw) || Number(raw) < min || Number(raw) > max) {
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
      }
      return Number(raw);
    },
    flag(name, fallback) {
      const raw = optional(name)?.toLowerCase();
      if (raw === undefined) return fallback;
      if (['true', '1', 'yes', 'on'].includes(raw)) return true;
      if (['false', '0', 'no', 'off'].includes(raw)) return false;
      throw new ConfigError(`${name} must be true or false, not "${raw}"`);
    },
    readableFile(name) {
      const file = optional(name);
      if (file === undefined) return undefined;
      const resolved = path.resolve(cwd, file);
      try {
        accessSync(resolved, constants.R_OK);
      } catch {
        throw new ConfigError(`${name} names a file that cannot be read: "${file}"`);
      }
      return resolved;
    },
  };
}

export function readConfig({ text, optional, integer }: SettingReader, cwd: string): Config {
  const databaseUrl = optional('DATABASE_URL');
  const fault = databaseUrl === undefined ? undefined : findFaultInDatabaseUrl(databaseUrl);
  if (fault !== undefined) throw new ConfigError(`DATABASE_URL ${fault}`);
  const secret = optional('DUKKAN_SECRET');
  if (databaseUrl !== undefined && secret === undefined) {
    throw new ConfigError('DUKKAN_SECRET is required when DATABASE_URL is set (it signs tokens and encrypts secrets)');
  }
  if (secret !== undefined && secret.length < MIN_SECRET_CHARACTERS) {
    throw new ConfigError(`DUKKAN_SECRET must have at least ${MIN_SECRET_CHARACTERS} characters`);
  }

  const dataDir = path.resolve(cwd, text('DUKKAN_DATA_DIR', '.data'));
  const logLevel = text('LOG_LEVEL', 'info');
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}"`);
  }

  return {
    port: integer('PORT', 8080, 0, 65_535),
    host: text('HOST', '127.0.0.1'),
    databaseUrl,
    databasePoolSize: integer('DATABASE_POOL_SIZE', 16, 2, 500),
    migrateByForce: readMigrate(text('DUKKAN_MIGRATE', '')),
    dataDir,
    backupTarget: readBackupTarget(optional, cwd),
    backupS3: readBackupS3(optional),
    secret,
    environment: text('DUKKAN_ENV', 'development'),
    logLevel,
    logFormat: readLogFormat(text('LOG_FORMAT', 'auto')),
    roles: readRoles(text('DUKKAN_ROLES', 'api,worker')),
    corsOrigins: readOrigins(text('CORS_ORIGINS', '')),
    trustProxy: readTrustProxy(optional('TRUST_PROXY')),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 0, 0, 10_000_000),
    maxInFlightRequests: integer('MAX_IN_FLIGHT_REQUESTS', 1000, 1, 1_000_000),
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', 1024, 0, 1_000_000),
    drainSeconds: integer('DRAIN_SECONDS', 0, 0, 60),
    files: readFileStore(optional, dataDir),
    warnings: [],
  };
}

function readBackupTarget(optional: SettingReader['optional'], cwd: string): string | undefined {
  const target = optional('DUKKAN_BACKUP_DIR');
  return target === undefined || target.startsWith('s3://') ? target : path.resolve(cwd, target);
}

/** Each setting falls back to the one of the images' bucket, so that only what differs is given. */
function readBackupS3(optional: SettingReader['optional']): BackupS3Settings | undefined {
  const either = (name: string) => {
    const own = optional(`BACKUP_${name}`);
    return own ?? optional(name);
  };
  const endpoint = either('S3_ENDPOINT');
  const region = either('S3_REGION') ?? 'us-east-1';
  const accessKeyId = either('S3_ACCESS_KEY_ID');
  const secretAccessKey = either('S3_SECRET_ACCESS_KEY');
  if (endpoint !== undefined && (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))) {
    const name = optional('BACKUP_S3_ENDPOINT') === undefined ? 'S3_ENDPOINT' : 'BACKUP_S3_ENDPOINT';
    throw new ConfigError(`${name} must be an http or https address, not "${endpoint}"`);
  }
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { endpoint, region, accessKeyId, secretAccessKey };
}

function readLogFormat(raw: string): LogFormat {
  const format = LOG_FORMATS.find((name) => name === raw);
  if (format === undefined) throw new ConfigError(`LOG_FORMAT must be one of ${LOG_FORMATS.join(', ')}, not "${raw}"`);
  return format;
}

function readRoles(raw: string): ReadonlySet<Role> {
  const names = raw
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.find((name) => !ROLES.some((role) => role === name));
  if (unknown !== undefined || names.length === 0) {
    throw new ConfigError(`DUKKAN_ROLES must list ${ROLES.join(' and/or ')}, not "${raw}"`);
  }
  return new Set(ROLES.filter((role) => names.includes(role)));
}

function readMigrate(raw: string): boolean {
  if (raw !== '' && raw !== 'force') throw new ConfigError(`DUKKAN_MIGRATE must be force or absent, not "${raw}"`);
  return raw === 'force';
}

const MAX_PROXY_HOPS = 10;

/**
 * `true` is refused: it would trust the first forwarded address, which the client controls, so every limit by address
 * could be bypassed.
 */
function readTrustProxy(raw: string | undefined): TrustProxy {
  if (raw === undefined || ['false', '0', 'no', 'off'].includes(raw.toLowerCase())) return false;
  if (/^\d+$/.test(raw) && Number(raw) <= MAX_PROXY_HOPS) return { hops: Number(raw) };
  const networks = raw.replace(/\bloopback\b/gi, '127.0.0.0/8, ::1');
  try {
    if (parseNetworks(networks).length > 0) return { networks };
  } catch {
    // Reported below, together with the accepted forms.
  }
  throw new ConfigError(
    `TRUST_PROXY must be how many proxies are in front (1 to ${MAX_PROXY_HOPS}), or their addresses or networks ` +
      `(10.0.0.0/8, loopback), or false, not "${raw}"`,
  );
}

function readOrigins(raw: string): string[] {
  const origins = raw
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  const wrong = origins.find(
    (origin) => origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin),
  );
  if (wrong !== undefined) {
    throw new ConfigError(`CORS_ORIGINS must list origins such as https://shop.example, or be *, not "${wrong}"`);
  }
  return origins;
}

function readFileStore(optional: SettingReader['optional'], dataDir: string): FileStoreSettings {
  const bucket = optional('S3_BUCKET');
  if (bucket === undefined) {
    const lost = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].find(
      (name) => optional(name) !== undefined,
    );
    if (lost !== undefined) throw new ConfigError(`S3_BUCKET is required when ${lost} is set`);
    return { driver: 'local', folder: path.join(dataDir, 'files') };
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(bucket)) {
    throw new ConfigError(`S3_BUCKET must be the name of a bucket (letters, digits, dots and dashes), not "${bucket}"`);
  }
  const required = (name: string) => {
    const value = optional(name);
    if (value === undefined) throw new ConfigError(`${name} is required when S3_BUCKET is set`);
    return value;
  };
  const endpoint = required('S3_ENDPOINT');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigError(`S3_ENDPOINT must be an http or https address, not "${endpoint}"`);
  }
  return {
    driver: 's3',
    bucket,
    endpoint,
    region: optional('S3_REGION') ?? 'us-east-1',
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
  };
}
