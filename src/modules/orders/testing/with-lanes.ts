import type { Sql } from '../../../platform/database/index.ts';

export type Lane = 'quick' | 'slow';

/** The database with a slow lane, noting which of the two was asked. */
export function withLanes(sql: Sql): { sql: Sql; used: Set<Lane> } {
  const used = new Set<Lane>();
  const noting = (lane: Lane, expensive?: Sql): Sql =>
    new Proxy(sql, {
      apply(target, self, args) {
        used.add(lane);
        return Reflect.apply(target as never, self, args);
      },
      get(target, name) {
        if (name === 'expensive') return expensive;
        if (name === 'connections') used.add(lane);
        return Reflect.get(target, name);
      },
    });
  return { used, sql: noting('quick', noting('slow')) };
}
