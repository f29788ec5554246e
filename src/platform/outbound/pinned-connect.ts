import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { findIpLiteral } from './target-url.ts';

/** One target as checked: where the request is meant to go, and the only address it may be sent to. */
export type PinnedTarget = { url: URL; origin: string; address: string; lane: string };

type Connected = (...result: [error: null, socket: tls.TLSSocket] | [error: Error, socket: null]) => void;

export type PinnedConnect = (target: PinnedTarget, callback: Connected) => tls.TLSSocket;

const CONNECT_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;

/**
 * Dials the address, and nothing else: an address as `host` is used as it stands, with no lookup in between. The
 * certificate is held against the name, or against the address when the URL has no name.
 *
 * undici's own connector was rejected: a handshake that hangs keeps its socket until the connect timeout (10.6 s
 * measured), even after its pool is destroyed. Dialling here lets the deadline of the request end it at once.
 */
export function createPinnedConnect(extraCa: string | undefined): PinnedConnect {
  // Built once: handing `ca` to every connection would parse the whole root store again for each handshake.
  const secureContext = createTrust(extraCa);
  return ({ url, address }, callback) => {
    const socket = tls.connect({
      host: address,
      port: url.port === '' ? 443 : Number(url.port),
      ...(findIpLiteral(url.hostname) === undefined ? { servername: url.hostname } : {}),
      secureContext,
      // Said outright so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment changes nothing.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    socket.setNoDelay(true);
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);

    let settled = false;
    const settle = (...result: Parameters<Connected>) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      callback(...result);
    };
    const timer = setTimeout(() => socket.destroy(connectError('ETIMEDOUT')), CONNECT_TIMEOUT_MS);
    socket.once('secureConnect', () => settle(null, socket));
    socket.on('error', (error) => settle(error, null));
    socket.once('close', () => settle(connectError('ECONNABORTED'), null));
    return socket;
  };
}

function connectError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function createTrust(extraCa: string | undefined): tls.SecureContext {
  if (extraCa === undefined) return tls.createSecureContext();
  // createSecureContext takes any text for `ca` without a word; this throws when there is no certificate in it.
  new X509Certificate(extraCa);
  return tls.createSecureContext({ ca: [...tls.getCACertificates('default'), extraCa] });
}
