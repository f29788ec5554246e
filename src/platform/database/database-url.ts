import type { Host } from './primary-client.ts';

/** The driver does not know `allow`, and would check certificates as for `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Both mean a server that takes writes. */
const SESSION_ATTRS = ['read-write', 'primary'];
const DEFAULT_PORT = 5432;

/** What is wrong with a database URL, for the operator. The URL may hold a password: no part of it is repeated. */
export function findFaultInDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://';
  const several = listHosts(text);
  if (several.some(({ host, port }) => host === '' || !Number.isInteger(port) || port < 1 || port > 65_535)) {
    return 'must name several hosts as host:port,host:port';
  }
  const url = parse(withOneHost(text));
  if (url === undefined || !isPercentEncoded(text)) {
    return 'must look like postgres://user:password@host:5432/database';
  }
  const sslMode = url.searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    return `has an sslmode that the driver does not know; it knows ${SSL_MODES.join(', ')}`;
  }
  const wanted = url.searchParams.get('target_session_attrs');
  if (wanted !== null && !SESSION_ATTRS.includes(wanted)) {
    return `has a target_session_attrs that cannot be used; the service writes, so it is ${SESSION_ATTRS.join(' or ')}`;
  }
  if (url.searchParams.get('host')?.includes(',')) return 'must name several hosts before the database, not in host=';
  const port = url.searchParams.get('port');
  if (port !== null && !/^\d{1,5}$/.test(port)) return 'has a port that is not a number';
  return undefined;
}

/**
 * The URL for the driver, with its `options` apart. The driver reads `sslmode` differently from libpq unless `uselibpqcompat` is set.
 */
export function readDatabaseUrl(text: string): { connectionString: string; options: string; hosts: Host[] } {
  const hosts = listHosts(text);
  const url = parse(withOneHost(text));
  if (url === undefined) return { connectionString: text, options: '', hosts };
  url.searchParams.delete('target_session_attrs');
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat')) {
    url.searchParams.set('uselibpqcompat', 'true');
  }
  return { connectionString: url.href, options, hosts };
}

/** The same database and account on another server. */
export function withServer(text: string, { host, port }: Host): string {
  const url = parse(withOneHost(text));
  if (url === undefined) throw new Error('the database URL cannot be read');
  for (const name of ['host', 'port', 'target_session_attrs']) url.searchParams.delete(name);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  return url.href;
}

/** `postgres://user@/database?host=/run/postgresql`, as psql accepts a socket, has no host, which the URL class requires. */
function parse(text: string): URL | undefined {
  const withHost = text.replace(/^(\w+:\/\/[^@/?#]*@)(?=[/?:]|$)/, '$1localhost');
  return URL.canParse(withHost) ? new URL(withHost) : undefined;
}

/** Several hosts, as libpq accepts them: `host:port,host:port`. Empty for one. */
function listHosts(text: string): Host[] {
  const hosts = hostsOf(text).split(',');
  if (hosts.length < 2) return [];
  return hosts.map((each) => {
    const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(each) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/** The URL class and the driver know one host. */
function withOneHost(text: string): string {
  const hosts = hostsOf(text);
  const [first = ''] = hosts.split(',');
  return first === hosts ? text : text.replace(hosts, first);
}

function hostsOf(text: string): string {
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(text) ?? [];
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
