// Loaded first into every process of a run. When the run itself is gone, even by kill -9, each one stops by itself; and each
// reports what it has used when asked, which works the same on every platform.
export type Usage = { cpuMs: number; memoryMb: number };

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpuMs: (user + system) / 1000, memoryMb: Math.round(process.memoryUsage.rss() / 1024 / 1024) };
  process.send?.({ usage });
});
// The process lives and ends as without a listener.
process.channel?.unref();
