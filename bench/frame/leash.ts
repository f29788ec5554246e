// Loaded first into every process of a run: when the run itself is gone, even by kill -9, each one stops by itself.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
