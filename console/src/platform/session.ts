import { createDukkan, DukkanError } from '@dukkan/sdk';
import type { Account, Grant, Organization } from './account.ts';
import { takeEarly } from './early-session.ts';
import { clearStored, readStored, writeStored } from './local-storage.ts';
import { forgetVisit, rememberedVisit } from './remembered-visit.ts';
import { openScope, type Scope } from './scope.ts';
import { createStore, useStore } from './store.ts';
import { openChannel, withTabLock } from './tab-channel.ts';

export type Session =
  | { phase: 'starting' }
  /** `expired`: ended by the service while a page was open; `userId` is whose session it was. */
  | { phase: 'out'; reason: 'none' | 'signed-out' | 'expired'; userId?: string | undefined }
  | { phase: 'unreachable'; error: unknown }
  | {
      phase: 'in';
      account: Account;
      organization: Organization | undefined;
      scope: Scope;
      /** The organization that this tab had open for support until now. */
      leftOrganization?: string | undefined;
    };

/** An operator inside an organization for support: where the tokens for it come from. See `support-visit.ts`. */
export type Visit = { organizationId: string; findToken(refused?: string): Promise<string | undefined> };

type Token = { text: string; until: number };
type Message = { kind: 'token' | 'in'; token: Token } | { kind: 'out'; reason: 'signed-out' | 'expired' };

/** A token this close to expiry is refreshed before use. */
const SPARE_MS = 30_000;

const session = createStore<Session>({ phase: 'starting' });
/** In memory only, so that an injected script finds nothing in storage. The refresh token is an HttpOnly cookie. */
let token: Token | undefined;
let scope: Scope | undefined;
let visit: Visit | undefined;
let leftOrganization: string | undefined;
/** Increases with every start and end of a session: answers of an earlier one are dropped. */
let generation = 0;

const COOKIE = { 'x-session': 'cookie' };
const withCookie = createDukkan({ baseUrl: '', headers: COOKIE, credentials: 'same-origin', retries: 2 });
const accounts = createDukkan({
  baseUrl: '',
  token: (refused) => (visit ?? { findToken: findOwnToken }).findToken(refused),
  retries: 2,
});

const others = openChannel<Message>('session', (message) => {
  if (message.kind === 'out') return endSession(message.reason);
  if (message.kind === 'in') {
    beginSession(message.token);
    void loadAccount();
    return;
  }
  // The last refresh of a session that has ended here.
  if (session.get().phase === 'out') return;
  const isOfAnother = scope !== undefined && scope.userId !== userIdOf(message.token);
  token = isOfAnother ? undefined : message.token;
  // The cookie decides whose session this browser has now.
  if (isOfAnother) void loadAccount();
});

export const useSession = () => useStore(session);
export const currentSession = () => session.get();
export const whenSessionChanges = session.subscribe;

/** Called once, before the first page. A browser without an earlier sign-in sends no request: it would be refused. */
export async function startSession(resumeVisit: (organizationId: string) => Promise<Visit>): Promise<void> {
  // Messages do not reach a page that is frozen or in the back/forward cache.
  window.addEventListener('pageshow', ({ persisted }) => persisted && checkUser());
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && checkUser());
  if (readStored('signed-in') === null) return leave('none');
  const supported = rememberedVisit();
  if (supported !== null) visit = await resumeVisit(supported);
  await loadAccount(takeEarly('account'));
}

/** A user has signed in from this browser before. */
export const isKnownHere = () => readStored('known') !== null;

export async function signIn(given: { email: string; password: string; code?: string }): Promise<void> {
  await enter(() => withCookie.call('logIn', { body: given }));
}

export async function acceptInvitation(given: {
  token: string;
  password: string;
  name: string;
  code?: string;
}): Promise<void> {
  await enter(() => withCookie.call('acceptInvitation', { body: given }));
}

/** Removes the user's data from this browser before it calls the service. Rejects if the service could not be reached. */
export async function signOut(): Promise<void> {
  const last = token;
  others.post({ kind: 'out', reason: 'signed-out' });
  leave('signed-out');
  await withTabLock('refresh', async () => {
    try {
      const usable =
        last !== undefined && isFresh(last) ? last : asToken(await withCookie.call('refreshLogin', { body: {} }));
      // A short timeout: the next user's login waits for it.
      const client = createDukkan({ baseUrl: '', token: usable.text, retries: 1, timeoutMs: 10_000 });
      await client.call('logOut', { headers: COOKIE });
    } catch (error) {
      // The login is over already.
      if (!isUnauthorized(error)) throw error;
    }
  });
}

/** For this tab, and for those that are opened later. */
export function chooseOrganization(id: string): void {
  const now = session.get();
  if (now.phase !== 'in') return;
  const chosen = now.account.organizations.find((one) => one.id === id);
  if (chosen === undefined) return;
  writeStored(nameOfChoice(now.account), id);
  show(now.account, chosen);
}

/** Enters an organization for support, or leaves it. */
export async function setVisit(next: Visit | undefined): Promise<void> {
  generation += 1;
  leftOrganization = next === undefined ? visit?.organizationId : undefined;
  visit = next;
  await loadAccount();
}

/** After a change of the account: a name, a second factor, an organization. */
export async function reloadAccount(): Promise<void> {
  await loadAccount();
}

/**
 * Logins, refreshes and logouts change one cookie, so they run one at a time over all tabs: a late logout response would
 * otherwise clear the cookie of the next login.
 */
async function enter(ask: () => Promise<{ access_token: string; expires_in: number }>): Promise<void> {
  const fresh = asToken(await withTabLock('refresh', ask));
  if (beginSession(fresh)) clearStored();
  others.post({ kind: 'in', token: fresh });
  writeStored('signed-in', 'yes');
  await loadAccount();
}

async function readAccount(): Promise<unknown> {
  const request = { method: 'GET', path: '/auth/account', operation: 'getAccount', takesOrganization: false } as const;
  return (await accounts.send(request)).data;
}

async function loadAccount(early?: Promise<unknown>): Promise<void> {
  const began = generation;
  try {
    const account = ((await early) ?? (await readAccount())) as Account;
    if (began !== generation) return;
    const wanted = scope?.userId === account.user.id ? scope.organizationId : readStored(nameOfChoice(account));
    show(account, account.organizations.find(({ id }) => id === wanted) ?? account.organizations[0]);
  } catch (error) {
    if (began !== generation) return;
    if (visit !== undefined && error instanceof DukkanError && error.status < 500) {
      // The access has ended, or the login that opened it.
      forgetVisit();
      await setVisit(undefined);
    } else if (isUnauthorized(error)) leave('none');
    else session.set({ phase: 'unreachable', error });
  }
}

function show(account: Account, organization: Organization | undefined): void {
  if (scope?.isFor(account, organization) !== true) {
    endScope();
    scope = openScope(account, organization, visit?.findToken ?? findOwnToken);
  }
  writeStored('signed-in', account.user.id);
  writeStored('known', 'yes');
  session.set({ phase: 'in', account, organization, scope: scope as Scope, leftOrganization });
}

/** A user has signed in, here or in another tab. Pages of the same user stay; true for another user. */
function beginSession(fresh: Token | undefined): boolean {
  generation += 1;
  token = fresh;
  if (scope !== undefined && fresh !== undefined && scope.userId === userIdOf(fresh)) return false;
  endScope();
  if (session.get().phase !== 'out') session.set({ phase: 'starting' });
  return true;
}

/** Only the tab that ends the session clears the storage: a tab that learns of it late would clear the next user's values. */
function leave(reason: 'none' | 'signed-out' | 'expired'): void {
  endSession(reason);
  clearStored({ isSignedOut: reason === 'signed-out' });
}

function endSession(reason: 'none' | 'signed-out' | 'expired'): void {
  generation += 1;
  token = undefined;
  visit = undefined;
  forgetVisit();
  const userId = scope?.userId;
  endScope();
  session.set({ phase: 'out', reason, userId });
}

function endScope(): void {
  const ended = scope;
  scope = undefined;
  ended?.end();
}

/**
 * The mark in storage says whose session the browser has; it may have changed while this page was not running. A browser without
 * storage has no marks at all.
 */
function checkUser(): void {
  const now = session.get();
  const marked = readStored('signed-in');
  if (now.phase !== 'in' || marked === now.account.user.id || !isKnownHere()) return;
  if (marked === null) {
    endSession('signed-out');
    return;
  }
  beginSession(undefined);
  void loadAccount();
}

export async function findOwnToken(refused?: string): Promise<string | undefined> {
  if (token !== undefined && token.text !== refused && isFresh(token)) return token.text;
  const unusable = token;
  const began = generation;
  return await withTabLock('refresh', async () => {
    if (began !== generation) return undefined;
    // Another tab may have refreshed while this one waited for the lock.
    if (token !== undefined && token !== unusable && token.text !== refused) return token.text;
    try {
      const fresh = asToken((await takeEarly('login')) ?? (await withCookie.call('refreshLogin', { body: {} })));
      if (began !== generation) return undefined;
      if (scope !== undefined && scope.userId !== userIdOf(fresh)) {
        // The cookie is another user's by now.
        beginSession(fresh);
        void loadAccount();
        return undefined;
      }
      token = fresh;
      others.post({ kind: 'token', token: fresh });
      return fresh.text;
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (began !== generation) return undefined;
      const isExpired = scope !== undefined;
      if (isExpired) others.post({ kind: 'out', reason: 'expired' });
      leave(isExpired ? 'expired' : 'none');
      return undefined;
    }
  });
}

function asToken({ access_token, expires_in }: { access_token: string; expires_in: number }): Token {
  return { text: access_token, until: Date.now() + expires_in * 1000 };
}

const isFresh = ({ until }: Token) => until > Date.now() + SPARE_MS;
const isUnauthorized = (error: unknown) => error instanceof DukkanError && error.status === 401;
const nameOfChoice = ({ user }: Account) => `organization.${user.id}`;

/** An access token is a JWT. The service verifies it; this only reads its user id. */
function userIdOf({ text }: Token): string | undefined {
  try {
    const claims = (text.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { sub?: string }).sub;
  } catch {
    return undefined;
  }
}

/** The grants of the account. What it may not do is hidden; the service enforces it. */
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

export function useScope(): Scope {
  const now = useSession();
  if (now.phase !== 'in') throw new Error('no user is signed in');
  return now.scope;
}
