import type { RouteOptions } from 'fastify';

/** All routes, for suggestions in 404 responses. */
export type RoutesByPath = {
  add(route: Pick<RouteOptions, 'url' | 'method'>): void;
  /** The methods of a path in alphabetical order; empty for an unknown path. */
  methodsOf(path: string): string[];
  /** Whether the path is one without parameters, such as `/orders/changes`. */
  isWord(path: string): boolean;
};

/**
 * The parameter of ids that this service makes: never a word such as the `changes` of `/orders/changes`. Ids that people choose have
 * other names: a branch may be called `bulk`.
 */
const ID = ':id';

export const hasId = (pattern: string) => segmentsOf(pattern).includes(ID);

/** They match every path, such as preflight requests, and so are no suggestion. */
const CATCH_ALL = ['*', '/*'];

/**
 * A linear search: 10 us for all routes, only for 404 responses. The framework's router can look up a pattern, not a path.
 */
export function collectRoutes(): RoutesByPath {
  const routes = new Map<string, { segments: string[]; methods: Set<string> }>();
  const words = new Set<string>();
  const isWord = (path: string) => words.has(path.replace(/\/$/, ''));
  return {
    add({ url, method }) {
      if (CATCH_ALL.includes(url)) return;
      const route = routes.get(url) ?? { segments: segmentsOf(url), methods: new Set<string>() };
      routes.set(url, route);
      if (!/[:*]/.test(url)) words.add(url);
      for (const name of [method].flat()) route.methods.add(name);
    },
    methodsOf(path) {
      const requested = segmentsOf(path);
      const isOwnPath = isWord(path);
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (isOwnPath && route.segments.includes(ID)) continue;
        if (matches(route.segments, requested)) for (const method of route.methods) methods.add(method);
      }
      return [...methods].sort();
    },
    isWord,
  };
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

/** `:id` matches one non-empty segment, a star the rest. */
function matches(route: readonly string[], requested: readonly string[]): boolean {
  for (const [index, pattern] of route.entries()) {
    if (pattern === '*') return true;
    const segment = requested[index];
    if (pattern.startsWith(':') ? !segment : segment !== pattern) return false;
  }
  return route.length === requested.length;
}
