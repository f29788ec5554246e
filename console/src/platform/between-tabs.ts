/** Whoever holds the name goes on alone, over all tabs. On pages without locks (plain http elsewhere than here) every tab does. */
export function alone<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  // Absent on pages that are not secure, whatever the types say.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return work();
  return locks.request(`dukkan ${name}`, signal === undefined ? {} : { signal }, work) as Promise<T>;
}

export type Channel<Message> = { tell(message: Message): void; close(): void };

/** To the other tabs of this console, never to oneself. */
export function openChannel<Message>(name: string, hear: (message: Message) => void): Channel<Message> {
  const channel = new BroadcastChannel(`dukkan ${name}`);
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { tell: (message) => channel.postMessage(message), close: () => channel.close() };
}
