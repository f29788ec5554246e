import type { AnyRouter, ParsedLocation } from '@tanstack/react-router';

/** Of each entry in the history of this tab, since it was loaded. Entries that a newer one replaced are overwritten with it. */
const paths = new Map<number, string>();

/** Called once, with the router of all pages. */
export function recordVisits(router: AnyRouter): void {
  router.subscribe('onBeforeLoad', ({ toLocation }) => {
    paths.set(toLocation.state.__TSR_index, toLocation.pathname);
  });
}

/** The path that Back leads to, where it is known. */
export function pathBefore({ state }: ParsedLocation): string | undefined {
  return paths.get(state.__TSR_index - 1);
}
