/** Runs `work` in one tab at a time (Web Locks). Pages without locks (plain http, not localhost) run it in every tab. */
export function withTabLock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  // Absent on insecure pages, contrary to the types.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return work();
  return locks.request(`dukkan ${name}`, signal === undefined ? {} : { signal }, work) as Promise<T>;
}

export type Channel<Message> = { post(message: Message): void; close(): void };

/** Sends to the other tabs of this console, not to the own one. */
export function openChannel<Message>(name: string, hear: (message: Message) => void): Channel<Message> {
  const channel = new BroadcastChannel(`dukkan ${name}`);
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}
