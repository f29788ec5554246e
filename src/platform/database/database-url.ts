/** The driver does not know `allow`, and would check certificates as for `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** What is wrong with a database URL, for the operator. The URL may hold a password: no part of it is repeated. */
export function findFaultInDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://';
  if (namesSeveralHosts(text)) {
    return 'must name one host: the driver does not support several; use a name that always resolves to the primary';
  }
  const url = parse(text);
  if (url === undefined || !isPercentEncoded(text)) {
    return 'must look like postgres://user:password@host:5432/database';
  }
  const sslMode = url.searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.includes(sslMode)) {
    return `has an sslmode that the driver does not know; it knows ${SSL_MODES.join(', ')}`;
  }
  const port = url.searchParams.get('port');
  if (port !== null && !/^\d{1,5}$/.test(port)) return 'has a port that is not a number';
  return undefined;
}

/**
 * The URL for the driver, with its `options` apart. The driver reads `sslmode` differently from libpq unless `uselibpqcompat` is set.
 */
export function readDatabaseUrl(text: string): { connectionString: string; options: string } {
  const url = parse(text);
  if (url === undefined) return { connectionString: text, options: '' };
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat')) {
    url.searchParams.set('uselibpqcompat', 'true');
  }
  return { connectionString: url.href, options };
}

/** `postgres://user@/database?host=/run/postgresql`, as psql accepts a socket, has no host, which the URL class requires. */
function parse(text: string): URL | undefined {
  const withHost = text.replace(/^(\w+:\/\/[^@/?#]*@)(?=[/?:]|$)/, '$1localhost');
  return URL.canParse(withHost) ? new URL(withHost) : undefined;
}

function namesSeveralHosts(text: string): boolean {
  const [, authority = ''] = /^\w+:\/\/([^/?#]*)/.exec(text) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const named = parse(text)?.searchParams.get('host') ?? '';
  return hosts.includes(',') || (named.includes(',') && !named.startsWith('/'));
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
