const PING = '/api/v1/ping';
const RETRY_MS = 5_000;

/** The service did not answer, or another server answered that it is away. */
export function isServiceAway(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === 0 || status === 503 || status === 504 || isScriptMissing(error);
}

/** A page whose script could not be loaded: the messages of Chromium, Firefox, Safari and Vite. */
export function isScriptMissing(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|Importing a module script|preload CSS/.test(error.message)
  );
}

/** Without the SDK, which would refresh the session first. */
export async function pingService(): Promise<boolean> {
  return fetch(PING, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Asks every five seconds until the service answers; false when it answered at once. The browser's own `online` event says nothing of a
 * service that is started again.
 */
export async function awaitService(signal: AbortSignal, ping = pingService): Promise<boolean> {
  let wasAway = false;
  while (!signal.aborted && !(await ping())) {
    wasAway = true;
    await pause(signal);
  }
  return wasAway && !signal.aborted;
}

export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
