import type { RouteOptions } from 'fastify';

/** Every route there is, to tell whoever missed one what is near. */
export type RoutesByPath = {
  add(route: Pick<RouteOptions, 'url' | 'method'>): void;
  /** The methods that a path is known under, by the alphabet; none for a path that leads nowhere. */
  methodsOf(path: string): string[];
};

/** They answer every path there is, such as a preflight, and say nothing of any. */
const CATCH_ALL = ['*', '/*'];

/**
 * Gone through one by one: 10 us for all routes of the service, paid only by those who missed. The framework's own router
 * can be asked for a pattern, not for a path.
 */
export function collectRoutes(): RoutesByPath {
  const routes = new Map<string, { steps: string[]; methods: Set<string> }>();
  return {
    add({ url, method }) {
      if (CATCH_ALL.includes(url)) return;
      const route = routes.get(url) ?? { steps: stepsOf(url), methods: new Set<string>() };
      routes.set(url, route);
      for (const name of [method].flat()) route.methods.add(name);
    },
    methodsOf(path) {
      const asked = stepsOf(path);
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (leadsTo(route.steps, asked)) for (const method of route.methods) methods.add(method);
      }
      return [...methods].sort();
    },
  };
}

function stepsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

/** `:id` stands for one step that is not empty, a star for the rest. */
function leadsTo(route: readonly string[], asked: readonly string[]): boolean {
  for (const [index, step] of route.entries()) {
    if (step === '*') return true;
    const given = asked[index];
    if (step.startsWith(':') ? !given : given !== step) return false;
  }
  return route.length === asked.length;
}
