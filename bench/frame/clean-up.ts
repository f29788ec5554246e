import { constants } from 'node:os';

export type CleanUp = {
  /** Registered before the thing is up, so that an interrupted start is undone as well. */
  add(undo: () => Promise<void>): void;
  run(): Promise<void>;
};

export function createCleanUp(): CleanUp {
  const undos: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;

  async function undoAll(): Promise<void> {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      await undo().catch((error) => console.error(`Clean-up: ${error instanceof Error ? error.message : error}`));
    }
  }

  return {
    add: (undo) => undos.push(undo),
    // A signal and the failure it causes both end up here; two at once would remove folders under a running server.
    run: () => {
      running ??= undoAll().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

/** Ctrl-C and friends take everything down before the process goes. */
export function cleanUpOnSignals(cleanUp: CleanUp): void {
  let leaving = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (leaving) return;
      leaving = true;
      console.error(`\n${signal}: stopping`);
      await cleanUp.run();
      process.exit(128 + constants.signals[signal]);
    });
  }
}
