import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** All addresses of a host name, IPv4 and IPv6, or a rejection with the resolver's code. */
export type Resolve = (hostname: string) => Promise<string[]>;

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const HOSTS_FRESH_MS = 1000;

/**
 * Queries the name servers over non-blocking sockets. `dns.lookup` was rejected: getaddrinfo blocks two threads of the
 * pool, ten seconds each for a name whose server is silent, and cannot be cancelled. Four such names took 20 s, with the
 * lookups of every other target queued behind them; here they take 7 s in parallel and delay no other lookup. getaddrinfo
 * would also read the hosts file, so this does too.
 *
 * Concurrent calls for one name share one query. Answers are not cached.
 */
export function createHostResolver(
  options: { servers?: string[]; hostsFile?: string; timeoutMs?: number; tries?: number } = {},
): Resolve {
  const { servers, hostsFile = HOSTS_FILE, timeoutMs = 2000, tries = 2 } = options;
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const findInHosts = hostsReader(hostsFile);
  const pending = new Map<string, Promise<string[]>>();

  return (hostname) => {
    const running = pending.get(hostname);
    if (running !== undefined) return running;
    const query = queryAddresses(resolver, findInHosts, hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, query);
    return query;
  };
}

async function queryAddresses(
  resolver: Resolver,
  findInHosts: (hostname: string) => Promise<string[] | undefined>,
  hostname: string,
): Promise<string[]> {
  const listed = await findInHosts(hostname);
  if (listed !== undefined) return listed;
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  if (addresses.length > 0) return addresses;
  const faults = families.flatMap((family) => (family.status === 'rejected' ? [family.reason] : []));
  throw faults.find((fault) => fault?.code !== 'ENODATA') ?? faults[0];
}

function hostsReader(file: string): (hostname: string) => Promise<string[] | undefined> {
  let table: Promise<Map<string, string[]>> | undefined;
  let readAtMs = 0;
  return async (hostname) => {
    const nowMs = performance.now();
    if (table === undefined || nowMs - readAtMs > HOSTS_FRESH_MS) {
      readAtMs = nowMs;
      table = readFile(file, 'utf8').then(parseHosts, () => new Map());
    }
    return (await table).get(hostname);
  };
}

function parseHosts(text: string): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      table.set(name, [...(table.get(name) ?? []), address]);
    }
  }
  return table;
}
