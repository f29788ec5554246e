import type { CommandContext } from './command.ts';

/** For commands that go on until a signal. */
export function untilStopped({ screen }: CommandContext) {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const onLost = (reason: string) => screen.write(`Lost the server (${reason}); trying again\n`);
  return { stopping, signal: stopping.signal, onLost };
}
