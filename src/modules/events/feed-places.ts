import { tooManyRequests, unavailable } from '../../platform/http/problem.ts';

/** Room for requests that stay open: so many for a tenant, so many in all. */
export type FeedPlaces = {
  /** Throws when there is no room. Returns how to leave, which may be called twice. */
  enter(organizationId: string): () => void;
  taken(): number;
};

const RETRY_AFTER_MS = 5_000;

export function createFeedPlaces(perTenant: number, inAll: number): FeedPlaces {
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    enter(organizationId) {
      const ofTenant = takenBy.get(organizationId) ?? 0;
      if (ofTenant >= perTenant) throw tooManyRequests(perTenant, RETRY_AFTER_MS);
      if (taken >= inAll) throw unavailable('Too many readers of the feed are connected', RETRY_AFTER_MS / 1000);
      takenBy.set(organizationId, ofTenant + 1);
      taken += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        taken -= 1;
        const rest = (takenBy.get(organizationId) ?? 1) - 1;
        if (rest === 0) takenBy.delete(organizationId);
        else takenBy.set(organizationId, rest);
      };
    },
    taken: () => taken,
  };
}
