import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { findIpLiteral } from './target-url.ts';

/** A checked target: the URL of the request and the only address it may be sent to. */
export type PinnedTarget = { url: URL; origin: string; address: string; isolationKey: string };

type Connected = (...result: [error: null, socket: tls.TLSSocket] | [error: Error, socket: null]) => void;

export type PinnedConnect = (target: PinnedTarget, callback: Connected) => tls.TLSSocket;

const CONNECT_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;

/**
 * Connects to the given address only: an address as `host` needs no lookup. The certificate is verified against the host
 * name, or against the address when the URL has none.
 *
 * undici's own connector was rejected: a handshake that hangs keeps its socket until the connect timeout (10.6 s
 * measured), even after its pool is destroyed. With its own socket the deadline of the request ends it at once.
 */
export function createPinnedConnect(extraCa: string | undefined): PinnedConnect {
  // Built once: passing `ca` to every connection would parse the whole root store for each handshake.
  const secureContext = createTrustContext(extraCa);
  return ({ url, address }, callback) => {
    const socket = tls.connect({
      host: address,
      port: url.port === '' ? 443 : Number(url.port),
      ...(findIpLiteral(url.hostname) === undefined ? { servername: url.hostname } : {}),
      secureContext,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
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

function createTrustContext(extraCa: string | undefined): tls.SecureContext {
  if (extraCa === undefined) return tls.createSecureContext();
  // createSecureContext accepts any text for `ca`; this throws when it holds no certificate.
  new X509Certificate(extraCa);
  return tls.createSecureContext({ ca: [...tls.getCACertificates('default'), extraCa] });
}
