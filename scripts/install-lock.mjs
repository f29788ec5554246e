import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { root } from './project.mjs';

const FIRST_PORT = 20_000;
const PORTS = 10_000;
const TRIES = 20;
const ANSWER_MS = 2000;

/**
 * One install a checkout at a time. A listening port is a lock that the kernel hands out to exactly one process and takes
 * back when that process dies, on every platform and on Node 20; a lock file would outlive a killed install and then need
 * rules for taking it over, which two starters can again get wrong together. The port follows from the folder's path and
 * lies below the range the kernel gives to outgoing connections.
 *
 * Resolves to a function that releases the lock, or to `undefined` after having waited for another process to finish.
 */
export async function acquireInstallLock(onWaiting) {
  const offset = createHash('sha256').update(root).digest().readUInt32BE(0);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = FIRST_PORT + ((offset + attempt) % PORTS);
    const server = await listen(port);
    if (server) return server.release;
    if (await waitForHolder(port, onWaiting)) return undefined;
  }
  throw new Error('Cannot check whether another process is installing: no local port is free');
}

function listen(port) {
  return new Promise((resolve, reject) => {
    const waiting = new Set();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => {});
      socket.write(`${root}\n`);
    });
    const release = () => {
      server.close();
      // Those who wait notice by the end of their connection.
      for (const socket of waiting) socket.destroy();
    };
    server.on('error', (error) => (error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve() : reject(error)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve({ release }));
  });
}

/** True when the port was held for this very folder and has been let go; false when some other program sits there. */
function waitForHolder(port, onWaiting) {
  return new Promise((resolve) => {
    let greeting = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const impatience = setTimeout(() => socket.destroy(), ANSWER_MS);
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      greeting += text;
      if (greeting !== `${root}\n`) return;
      clearTimeout(impatience);
      onWaiting();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(impatience);
      resolve(greeting === `${root}\n`);
    });
  });
}
