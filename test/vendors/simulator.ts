import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import { type ReceivedRequest, startReceiver } from '../../src/platform/outbound/testing/receiver.ts';
import { foodAndCounters } from './food-and-counters.ts';
import { AGREED, payments } from './payments.ts';
import {
  getPayment,
  type ReceivedCall,
  Refused,
  type RouteHandler,
  type Shop,
  type Vendor,
  type VendorResponse,
} from './vendor.ts';
import { webStores } from './web-stores.ts';

const VENDORS = { ...webStores, ...foodAndCounters, ...payments };

export type VendorSlug = keyof typeof VENDORS;
export const VENDOR_SLUGS = Object.keys(VENDORS) as VendorSlug[];

/** A fault of matching calls. The first match applies. */
export type Fault = {
  vendor?: VendorSlug;
  method?: string;
  /** Of a path below the vendor's base. */
  path?: RegExp;
  /**
   * `refuse` and `fail` answer and do nothing; `hang` never answers, `cut` closes the connection after reading the request, both
   * without doing anything; `lose` does it and closes the connection instead of answering; `lie` answers 200 with `body`.
   */
  kind: 'refuse' | 'fail' | 'hang' | 'cut' | 'lose' | 'lie';
  body?: string;
  status?: number;
  message?: string;
  headers?: Record<string, string>;
  /** Default: unlimited. */
  times?: number;
};

/**
 * All vendors at one address over TLS, each below its own path. They store orders and payments, carry out calls, refuse calls
 * without credentials, and record every call.
 */
export async function startVendors() {
  const authority = await createAuthority('Vendors');
  const certificate = await authority.issue({ addresses: ['127.0.0.1'] });
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-vendors-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);

  const calls: ReceivedCall[] = [];
  let faults: Fault[] = [];
  let lastId = 0;
  const receiver = await startReceiver(certificate, answer);
  const baseUrl = `https://127.0.0.1:${receiver.port}`;
  const shops = new Map(VENDOR_SLUGS.map((slug) => [slug, openShop(slug)]));

  function openShop(slug: VendorSlug): Shop {
    return {
      baseUrl: `${baseUrl}/${slug}`,
      orders: new Map(),
      payments: new Map(),
      tokens: new Set(),
      newId() {
        lastId += 1;
        return `${slug}-${lastId}`;
      },
    };
  }

  function getShop(slug: VendorSlug): Shop {
    const shop = shops.get(slug);
    if (shop === undefined) throw new Error(`no vendor ${slug}`);
    return shop;
  }

  function answer(request: ReceivedRequest, response: ServerResponse): void {
    const asked = toReceivedCall(request);
    if (asked === undefined) {
      say(response, { status: 404, json: { message: 'no such vendor' } });
      return;
    }
    calls.push(asked);
    const slug = asked.vendor as VendorSlug;
    const vendor: Vendor = VENDORS[slug];
    const fault = takeFault(asked);
    if (fault === undefined) {
      const carriedOut = () => say(response, carryOut(vendor, asked, getShop(slug)));
      const waiting = held.get(slug);
      if (waiting === undefined) carriedOut();
      else waiting.push(carriedOut);
    } else if (fault.kind === 'refuse' || fault.kind === 'fail') {
      say(response, faulty(vendor, fault), fault.headers);
    } else if (fault.kind === 'lie') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(fault.body);
    } else if (fault.kind !== 'hang') {
      if (fault.kind === 'lose') carryOut(vendor, asked, getShop(slug));
      response.destroy();
    }
  }

  const held = new Map<VendorSlug, (() => void)[]>();

  function takeFault(asked: ReceivedCall): Fault | undefined {
    const fault = faults.find(
      ({ vendor = asked.vendor, method = asked.method, path: about, times = 1 }) =>
        vendor === asked.vendor && method === asked.method && (about?.test(asked.path) ?? true) && times > 0,
    );
    if (fault?.times !== undefined) fault.times -= 1;
    return fault;
  }

  return {
    /** What a service needs to call it. */
    settings: { WEBHOOK_CA_FILE: caFile, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
    caPem: authority.cert,
    /** For the setting `api_base_url`. */
    baseUrlOf: (slug: VendorSlug) => getShop(slug).baseUrl,
    shop: getShop,
    /** Every call so far, those to `slug` where it is given. */
    calls: (slug?: VendorSlug) => calls.filter(({ vendor }) => slug === undefined || vendor === slug),
    forgetCalls() {
      calls.length = 0;
    },
    /** From now on; what is handed back ends it. */
    addFault(fault: Fault): () => void {
      const own = { ...fault };
      faults.push(own);
      return () => {
        faults = faults.filter((one) => one !== own);
      };
    },
    /** Calls wait until they are let go: so many of them, or from then on all. */
    holdBack(slug: VendorSlug): (count?: number) => void {
      held.set(slug, []);
      return (count) => {
        const waiting = held.get(slug) ?? [];
        for (const carriedOut of waiting.splice(0, count ?? waiting.length)) carriedOut();
        if (count === undefined) held.delete(slug);
      };
    },
    clearFaults() {
      faults = [];
    },
    /** The customer agrees on the vendor's page. */
    agree(slug: keyof typeof payments, paymentId: string) {
      getPayment(getShop(slug), paymentId).status = AGREED[slug];
    },
    async close() {
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type VendorSimulator = Awaited<ReturnType<typeof startVendors>>;

function toReceivedCall({ method, path: target, headers, rawBody }: ReceivedRequest): ReceivedCall | undefined {
  const url = new URL(target, 'https://vendors.test');
  const vendor = VENDOR_SLUGS.find((slug) => url.pathname.startsWith(`/${slug}/`));
  if (vendor === undefined) return undefined;
  const body = rawBody.toString('utf8');
  return {
    vendor,
    method,
    path: url.pathname.slice(vendor.length + 1),
    query: Object.fromEntries(url.searchParams),
    headers,
    body,
    fields: fieldsOf(body, headers['content-type'] ?? ''),
  };
}

function fieldsOf(body: string, type: string): unknown {
  if (body === '') return undefined;
  if (type.includes('form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function carryOut(vendor: Vendor, asked: ReceivedCall, shop: Shop): VendorResponse {
  try {
    const open = findRoute(vendor.open ?? {}, asked);
    if (open !== undefined) return open(shop);
    if (!vendor.carries.every((name) => isTaken(asked.headers[name], shop))) throw new Refused(401, 'Unauthorized');
    const route = findRoute(vendor.routes, asked);
    if (route === undefined) throw new Refused(404, `No such call: ${asked.method} ${asked.path}`);
    return route(shop);
  } catch (error) {
    // An invalid body, or a call that is not allowed.
    const status = error instanceof Refused ? error.status : 400;
    return { status, json: vendor.refusal(status, error instanceof Error ? error.message : 'Bad request') };
  }
}

function isTaken(header: string | string[] | undefined, shop: Shop): boolean {
  if (typeof header !== 'string' || header === '') return false;
  const value = header.replace(/^Bearer /, '');
  return value.includes('-token-') ? shop.tokens.has(value) : value !== '';
}

function findRoute(
  routes: Readonly<Record<string, RouteHandler>>,
  asked: ReceivedCall,
): ((shop: Shop) => VendorResponse) | undefined {
  for (const [call, answering] of Object.entries(routes)) {
    const [method, pattern = ''] = call.split(' ');
    if (method !== asked.method) continue;
    const ids = toPattern(pattern).exec(asked.path)?.slice(1).map(decodeURIComponent);
    if (ids !== undefined) return (shop) => answering(asked, shop, ids);
  }
  return undefined;
}

function toPattern(pattern: string): RegExp {
  const escaped = pattern.split('{}').map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('([^/]+)')}$`);
}

function faulty(
  vendor: Vendor,
  { kind, status = kind === 'refuse' ? 422 : 503, message = 'Made to fail' }: Fault,
): VendorResponse {
  return { status, json: vendor.refusal(status, message) };
}

function say(response: ServerResponse, { status, json }: VendorResponse, headers: Record<string, string> = {}): void {
  if (json === undefined) response.writeHead(status, headers).end();
  else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}
