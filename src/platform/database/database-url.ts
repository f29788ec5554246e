/** What the driver makes of each word; `allow` it does not know, and would check certificates as for `verify-full`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** What is wrong with an address that starts like one, for the operator to read. It may hold a password: nothing of it is repeated. */
export function findFaultInDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://';
  if (namesSeveralHosts(text)) {
    return 'must name one host: the driver tries no list of them; give a name that always leads to the primary';
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
 * For the driver, with the `options` apart. It reads `sslmode` in a way of its own unless asked to read it as every other
 * client does.
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

/** `postgres://user@/database?host=/run/postgresql`, as psql takes a socket, has no host that the URL class would take. */
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
