export const TIMEOUT = 'timeout';

const WORDS = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['ECONNABORTED', 'connection reset'],
  ['UND_ERR_SOCKET', 'connection closed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'connection closed'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'host unreachable'],
  ['EADDRNOTAVAIL', 'host unreachable'],
  ['EHOSTDOWN', 'host unreachable'],
  ['ETIMEDOUT', TIMEOUT],
  ['UND_ERR_CONNECT_TIMEOUT', TIMEOUT],
  ['UND_ERR_HEADERS_OVERFLOW', 'response headers too large'],
  ['UND_ERR_DESTROYED', 'sender closed'],
  ['UND_ERR_CLOSED', 'sender closed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls: certificate is for another name'],
  ['CERT_HAS_EXPIRED', 'tls: certificate expired'],
  ['CERT_NOT_YET_VALID', 'tls: certificate not yet valid'],
  ['CERT_REVOKED', 'tls: certificate revoked'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls: self-signed certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls: unknown certificate authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls: unknown certificate authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls: unknown certificate authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls: unknown certificate authority'],
]);

/** A short phrase that is stable across versions of the libraries and reveals nothing about the internal network. */
export function failureWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = WORDS.get(code);
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === 'HTTPParserError') return 'invalid http response';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') return 'tls: handshake failed';
  if (/CERT|CRL|CA\b/.test(code)) return 'tls: certificate not accepted';
  return 'network failure';
}
