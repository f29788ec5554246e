import { createDukkan, type Dukkan, DukkanError } from '@dukkan/sdk';
import type { Account, Grant, Organization } from './account.ts';
import { alone, openChannel } from './between-tabs.ts';
import { keep, readKept } from './kept.ts';
import { createStore, useStore } from './store.ts';

export type Session =
  | { phase: 'starting' }
  /** `ended`: by the service, while somebody was at work. */
  | { phase: 'out'; ended: boolean }
  | { phase: 'unreachable'; error: unknown }
  | { phase: 'in'; account: Account; organization: Organization | undefined };

type Token = { text: string; until: number };
type Told = { kind: 'token'; token: Token } | { kind: 'out' } | { kind: 'in' };

/** A token this close to its end is exchanged before it is used. */
const SPARE_MS = 30_000;

const session = createStore<Session>({ phase: 'starting' });
/** In memory alone: nothing that a smuggled script could find in storage. The refresh token is a cookie no script sees. */
let token: Token | undefined;

const COOKIE = { 'x-session': 'cookie' };
const withCookie = createDukkan({ baseUrl: '', headers: COOKIE, credentials: 'same-origin', retries: 2 });

const others = openChannel<Told>('session', (told) => {
  if (told.kind === 'token') token = told.token;
  else if (told.kind === 'out') forget(false);
  else void loadAccount();
});

export const useSession = () => useStore(session);
export const currentSession = () => session.get();
export const whenSessionChanges = session.subscribe;

/** Called once, before the first page. Who was never signed in here is not asked for: a refusal would be noise. */
export async function startSession(): Promise<void> {
  if (readKept('signed-in') === null) return forget(false);
  await loadAccount();
}

/** Somebody has been in from this browser: who comes back is no stranger to the house. */
export const isKnownHere = () => readKept('known') !== null;

export async function signIn(given: { email: string; password: string; code?: string }): Promise<void> {
  keepToken(await withCookie.call('logIn', { body: given }));
  await enter();
}

export async function acceptInvitation(given: {
  token: string;
  password: string;
  name: string;
  code?: string;
}): Promise<void> {
  keepToken(await withCookie.call('acceptInvitation', { body: given }));
  await enter();
}

export async function signOut(): Promise<void> {
  try {
    await withToken(undefined).call('logOut', { headers: COOKIE });
  } finally {
    others.tell({ kind: 'out' });
    forget(false);
  }
}

/** For this tab, and for those that are opened later. */
export function chooseOrganization(id: string): void {
  const now = session.get();
  if (now.phase !== 'in') return;
  keep('organization', id);
  session.set({ ...now, organization: now.account.organizations.find((one) => one.id === id) ?? now.organization });
}

/** After something of the account itself has changed: a name, a second factor, an organization. */
export async function reloadAccount(): Promise<void> {
  await loadAccount();
}

/** A client for one organization, or for none. It finds its token by itself. */
export function withToken(organizationId: string | undefined): Dukkan {
  const known = clients.get(organizationId);
  if (known !== undefined) return known;
  const client = createDukkan({
    baseUrl: '',
    token: findToken,
    retries: 2,
    ...(organizationId === undefined ? {} : { organizationId }),
  });
  clients.set(organizationId, client);
  return client;
}
const clients = new Map<string | undefined, Dukkan>();

async function enter(): Promise<void> {
  keep('signed-in', 'yes');
  keep('known', 'yes');
  others.tell({ kind: 'in' });
  await loadAccount();
}

async function loadAccount(): Promise<void> {
  try {
    const answer = await withToken(undefined).send({
      method: 'GET',
      path: '/auth/account',
      operation: 'getAccount',
      takesOrganization: false,
    });
    const account = answer.data as Account;
    const wanted = currentOrganizationId() ?? readKept('organization');
    const organization = account.organizations.find(({ id }) => id === wanted) ?? account.organizations[0];
    session.set({ phase: 'in', account, organization });
  } catch (error) {
    if (error instanceof DukkanError && error.status === 401) forget(false);
    else session.set({ phase: 'unreachable', error });
  }
}

function currentOrganizationId(): string | undefined {
  const now = session.get();
  return now.phase === 'in' ? now.organization?.id : undefined;
}

function keepToken({ access_token, expires_in }: { access_token: string; expires_in: number }): Token {
  token = { text: access_token, until: Date.now() + expires_in * 1000 };
  others.tell({ kind: 'token', token });
  return token;
}

function forget(ended: boolean): void {
  token = undefined;
  keep('signed-in', null);
  session.set({ phase: 'out', ended });
}

async function findToken(refused?: string): Promise<string | undefined> {
  if (token !== undefined && token.text !== refused && token.until > Date.now() + SPARE_MS) return token.text;
  const unusable = token;
  return await alone('refresh', async () => {
    // Another tab may have been here while this one waited in line.
    if (token !== undefined && token !== unusable && token.text !== refused) return token.text;
    try {
      return keepToken(await withCookie.call('refreshLogin', { body: {} })).text;
    } catch (error) {
      if (error instanceof DukkanError && error.status === 401) {
        const wasIn = session.get().phase === 'in';
        if (wasIn) others.tell({ kind: 'out' });
        forget(wasIn);
        return undefined;
      }
      throw error;
    }
  });
}

/** What the account may do here. What it may not is not shown; what it tries anyway the service refuses. */
export function useMay(): (grant: Grant) => boolean {
  const now = useSession();
  const grants = now.phase === 'in' ? now.organization?.grants : undefined;
  return (grant) => grants?.includes(grant) === true;
}

export function useOrganization(): Organization {
  const now = useSession();
  if (now.phase !== 'in' || now.organization === undefined) throw new Error('there is no organization here');
  return now.organization;
}
