import type { FastifyRequest } from 'fastify';
import { forbidden, Problem } from '../../../platform/http/problem.ts';
import { principalOf, tenantOf } from '../principal.ts';
import type { AskAgain } from './authenticate.ts';
import { type IdentityCache, idsOf } from './identity-cache.ts';

/** The rights of a request that stays open: what was true when it was admitted has to stay true. */
export type WatchedRights = {
  /** Throws what the gate would answer now. Call before each delivery. */
  verify(): Promise<void>;
  /** Aborted when the rights have ended, with the refusal as its reason. */
  signal: AbortSignal;
  release(): void;
};

export type RightsWatch = {
  watch(request: FastifyRequest): WatchedRights;
  /** Resolves when every change of rights committed before this call is known to this process. */
  catchUp(): Promise<void>;
};

/** Expiry is no change in the database, and a notification may be lost: every open request is verified this often. */
const VERIFY_EVERY_MS = 2_000;
/** Open requests that are verified before other work of the process gets its turn; each takes some 3 us from memory. */
const VERIFIED_AT_ONCE = 100;

/**
 * Verifies open requests when an identity change concerns them, and every two seconds. Before, rights were looked at with the
 * next event or heartbeat: a suspended organization kept its streams for up to 15 s.
 */
export function createRightsWatch(
  cache: IdentityCache,
  askAgain: AskAgain,
  verifyEveryMs: number = VERIFY_EVERY_MS,
): RightsWatch {
  const open = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  function verifyInSlices(left: (() => void)[]): void {
    for (const check of left.splice(0, VERIFIED_AT_ONCE)) if (open.has(check)) check();
    if (left.length > 0) setImmediate(verifyInSlices, left);
  }

  function add(check: () => void): void {
    open.add(check);
    if (timer !== undefined) return;
    timer = setInterval(() => verifyInSlices([...open]), verifyEveryMs);
    timer.unref();
  }

  function remove(check: () => void): void {
    open.delete(check);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    catchUp: cache.catchUp,
    watch(request) {
      const admitted = tenantOf(request);
      const ended = new AbortController();

      async function verify(): Promise<void> {
        const { organizationId, branchId } = await askAgain(request);
        if (organizationId !== admitted.organizationId || branchId !== admitted.branchId) {
          throw forbidden({ account: 'now stands for another organization or branch' }).named('account-changed');
        }
      }
      const check = () => {
        verify().catch((error: unknown) => {
          // A database that does not answer says nothing about rights; the next delivery is refused while it does not.
          if (error instanceof Problem && error.status < 500) ended.abort(error);
        });
      };

      const unwatch = cache.watch(idsOf(principalOf(request)), check);
      add(check);
      return {
        verify,
        signal: ended.signal,
        release() {
          unwatch();
          remove(check);
        },
      };
    },
  };
}
