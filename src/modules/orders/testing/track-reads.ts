import type { Sql } from '../../../platform/database/index.ts';

export type ReadClass = 'quick' | 'slow';

/** A database that records which classes of reads were used: usual (`quick`) or expensive (`slow`) ones. */
export function trackReads(sql: Sql): { sql: Sql; used: Set<ReadClass> } {
  const used = new Set<ReadClass>();
  const tracked = (readClass: ReadClass, expensive?: Sql): Sql =>
    new Proxy(sql, {
      apply(target, self, args) {
        used.add(readClass);
        return Reflect.apply(target as never, self, args);
      },
      get(target, name) {
        if (name === 'expensive') return expensive;
        if (name === 'connections') used.add(readClass);
        return Reflect.get(target, name);
      },
    });
  return { used, sql: tracked('quick', tracked('slow')) };
}
