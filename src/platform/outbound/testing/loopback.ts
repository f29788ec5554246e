import { parseNetworks } from '../address-policy.ts';
import { createSender, type PostRequest, type Sender, type SenderOptions } from '../post.ts';
import { type Authority, type Certificate, createAuthority } from './certificates.ts';

export const HOST = 'hooks.receiver.test';

/** The address of a service inside the network: it listens on the loopback too, but is not among the open networks. */
export const INTERNAL_ADDRESS = '127.0.0.2';

type Closable = { close(): Promise<unknown> };

export type Loopback = {
  authority: Authority;
  certificate: Certificate;
  /** A sender that trusts the authority, may reach 127.0.0.1 only, and resolves every name to it. */
  openSender(options?: Partial<SenderOptions>): Sender;
  keep<T extends Closable>(thing: T): T;
  closeAll(): Promise<void>;
};

/** A sender and its receivers on one machine, over real TLS. */
export async function createLoopback(): Promise<Loopback> {
  const authority = await createAuthority();
  const certificate = await authority.issue({
    names: [HOST],
    addresses: ['127.0.0.1', INTERNAL_ADDRESS, '127.0.0.3', '::1'],
  });
  const opened: Closable[] = [];
  const keep = <T extends Closable>(thing: T): T => {
    opened.push(thing);
    return thing;
  };
  return {
    authority,
    certificate,
    keep,
    openSender: (options = {}) =>
      keep(
        createSender({
          allowedNetworks: parseNetworks('127.0.0.1'),
          extraCa: authority.cert,
          resolve: async () => ['127.0.0.1'],
          maxSocketsPerTarget: 8,
          now: () => new Date(),
          ...options,
        }),
      ),
    async closeAll() {
      for (const thing of opened.splice(0).reverse()) await thing.close();
    },
  };
}

export function messageTo(port: number, changes: Partial<PostRequest> = {}): PostRequest {
  return { url: `https://${HOST}:${port}/in`, headers: { 'content-type': 'application/json' }, body: '{}', ...changes };
}
