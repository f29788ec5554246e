import type { Socket } from 'node:net';

/** Lets a client that is still sending read the response before the connection is closed. */
const LINGER_MS = 5_000;

const ended = new WeakSet<Socket>();

/**
 * Node closes the socket right after a response with `Connection: close`. While a body is being sent that is a reset, and the client
 * sees a broken pipe instead of the response: with fetch, 22 of 60 bodies of 30 MB on a busy machine.
 */
export function lingerWhenClosed(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    destroyLater(socket);
  };
}

/** The half-closed socket would otherwise stay open until the client closes it. */
export function destroyLater(socket: Socket): void {
  ended.add(socket);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Its last response is sent: a further request on it cannot be answered. */
export const isEnded = (socket: Socket): boolean => ended.has(socket);
