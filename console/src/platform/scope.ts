import { createDukkan, type Dukkan } from '@dukkan/sdk';
import { type Account, identityOf, type Organization } from './account.ts';
import { scopeClient, scopeToken } from './scoped-client.ts';

/**
 * All that belongs to one user in one organization: its API client, its query cache, its event stream. It ends at sign-out, when
 * another user signs in, at a switch of organization and when the rights of the account change. Nothing read under one scope
 * is visible under another, because each has its own cache and the answers of an ended scope are dropped.
 */
export type Scope = {
  /** Increases with every scope of this tab: a React key. */
  readonly id: number;
  readonly userId: string;
  readonly organizationId: string | undefined;
  /** Aborted when the scope ends. */
  readonly signal: AbortSignal;
  readonly api: Dukkan;
  /** Whether the account still is what this scope was opened for. */
  isFor(account: Account, organization: Organization | undefined): boolean;
  end(): void;
};

let opened = 0;
const listeners = new Set<() => void>();

/** Runs the listener at the end of every scope: for module state that no component owns. */
export function whenScopeEnds(listener: () => void): void {
  listeners.add(listener);
}

export function openScope(
  account: Account,
  organization: Organization | undefined,
  token: (refused?: string) => Promise<string | undefined>,
): Scope {
  const ended = new AbortController();
  const { signal } = ended;
  const identity = identityOf(account, organization);
  opened += 1;
  return {
    id: opened,
    userId: account.user.id,
    organizationId: organization?.id,
    signal,
    api: scopeClient(
      createDukkan({
        baseUrl: '',
        retries: 2,
        token: scopeToken(signal, token),
        ...(organization === undefined ? {} : { organizationId: organization.id }),
      }),
      signal,
    ),
    isFor: (other, at) => identityOf(other, at) === identity,
    end() {
      ended.abort();
      for (const listener of listeners) listener();
    },
  };
}
