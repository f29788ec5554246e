import { createDukkan, type Dukkan, EVENT_TYPES, type EventType } from '../../../sdk/src/index.ts';
import { findClosestWord } from '../../platform/text/closest-word.ts';
import { type CommandContext, type OptionSpec, UsageError } from '../command.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What every command takes that speaks to a service as any client does. */
export const CLIENT_OPTIONS = {
  url: { value: 'URL', meaning: `where the service is; DUKKAN_URL otherwise, or ${DEFAULT_URL}` },
  token: {
    value: 'TOKEN',
    meaning: 'session token or API key; DUKKAN_TOKEN otherwise, which no list of processes shows',
  },
  org: { value: 'ID', meaning: 'for an account of several organizations; DUKKAN_ORG otherwise' },
} as const satisfies Record<string, OptionSpec>;

export type ClientOptions = { [Name in keyof typeof CLIENT_OPTIONS]: string | undefined };

export type Connected = { dukkan: Dukkan; url: string };

/** Needs neither settings nor a database. */
export function connect({ env, screen }: CommandContext, options: ClientOptions): Connected {
  const url = readAddress(
    options.url ?? env.DUKKAN_URL ?? DEFAULT_URL,
    options.url === undefined ? 'DUKKAN_URL' : '--url',
  );
  const token = options.token ?? env.DUKKAN_TOKEN;
  if (token === undefined || token.trim() === '') throw new UsageError('A token is required: DUKKAN_TOKEN, or --token');
  const organizationId = options.org ?? env.DUKKAN_ORG;
  const dukkan = createDukkan({
    baseUrl: url,
    ...(token.startsWith('dkk_') ? { apiKey: token } : { token }),
    ...(organizationId === undefined ? {} : { organizationId }),
    headers: { 'user-agent': 'dukkan-cli' },
    onRetry: ({ message }) => screen.write(`${message}; trying again\n`),
  });
  return { dukkan, url };
}

export function readAddress(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${from} is an address such as ${DEFAULT_URL}, not ${text}`);
  }
  return text.replace(/\/+$/, '');
}

/** `--events order.created,order.cancelled`, repeated or with commas. */
export function readEventTypes(given: readonly string[]): EventType[] {
  return given
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(readEventType);
}

export function readEventType(text: string): EventType {
  const known = EVENT_TYPES.find((type) => type === text);
  if (known !== undefined) return known;
  const closest = findClosestWord(text, [...EVENT_TYPES]);
  const hint = closest === undefined ? `there are ${EVENT_TYPES.join(', ')}` : `did you mean ${closest}?`;
  throw new UsageError(`There is no event ${text}; ${hint}`);
}

/** Aborts on the first Ctrl-C. The second one has the default effect and ends the process at once. */
export function untilInterrupted(): { signal: AbortSignal; end(): void } {
  const stopping = new AbortController();
  const stop = () => {
    end();
    stopping.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.once(name, stop);
  // A pipe whose reader has left.
  process.stdout.once('error', stop);
  const end = () => {
    for (const name of signals) process.off(name, stop);
    process.stdout.off('error', stop);
  };
  return { signal: stopping.signal, end };
}
