import { createSteadyLoop, IDLE_LOOP_MS, type Notifier, type SteadyLoop } from '../../platform/background/index.ts';
import { type Piece, type Queryable, withGroup } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** On a cluster, how late work may be whose notification was lost. The due poll of one server would ask every shard every two seconds. */
const GROUP_IDLE_MS = 20_000;

/**
 * On a cluster a batch of a group costs several times one of one server, of whose size there is one: rests are as much longer, so that under
 * load batches are larger. What comes after a quiet period is processed at once there too.
 */
const CLUSTER_RESTS = 4;

export type GroupLoopOptions = {
  name: string;
  restMs?: number;
  /** For the due poll of one server. */
  isDue(sql: Queryable, group: string): Piece;
  /** A step for each group, with a state of its own. */
  stepOf(group: string): () => Promise<boolean>;
};

/** A loop for each group of tenants: one on one server, one for each shard of a cluster, so that a dead node delays its own tenants only. */
export function createGroupLoops(platform: Platform, notifier: Notifier, options: GroupLoopOptions) {
  const { log, duePoll, sql } = platform;
  const { name, restMs = 0 } = options;
  const loops = new Map<string, SteadyLoop>();
  let stopListening: (() => void) | undefined;

  function createLoop(group: string): SteadyLoop {
    const stepOfGroup = options.stepOf(group);
    const step = () => withGroup(group, stepOfGroup);
    if (sql.layout.isDistributed)
      return createSteadyLoop({
        name: `${name} of ${group}`,
        log,
        everyMs: GROUP_IDLE_MS,
        restMs: restMs * CLUSTER_RESTS,
        step,
      });
    const due = { duePoll, isDue: (queryable: Queryable) => options.isDue(queryable, group) };
    return createSteadyLoop({ name, log, everyMs: IDLE_LOOP_MS, restMs, due, step });
  }

  /** `tenants` are ids separated by commas. Empty or `*`: any of them. */
  function wake(tenants: string): void {
    if (!sql.layout.isDistributed || tenants === '' || tenants === '*') {
      for (const loop of loops.values()) loop.wake();
    } else {
      for (const group of new Set(tenants.split(',').map(sql.layout.groupOf))) loops.get(group)?.wake();
    }
  }

  return {
    wake: () => wake(''),
    async start() {
      for (const { id } of sql.layout.groups) loops.set(id, createLoop(id));
      stopListening = notifier.onNotify(wake);
      for (const loop of loops.values()) loop.start();
    },
    async stop() {
      stopListening?.();
      await Promise.all(Array.from(loops.values(), (loop) => loop.stop()));
    },
  };
}
