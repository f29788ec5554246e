import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { placeOrder } from '../rolling/load.ts';
import type { Tenant } from './tenants.ts';

const ORDER_CLIENTS = 2;
const PAUSE_MS = 20;
const ANSWER_MS = 30_000;
const REFUSAL_CHARACTERS = 160;

export type Outcome = {
  phase: string;
  node: string;
  acknowledged: number;
  refused: number;
  otherThan503: number;
  firstRefusal: string;
};

/** What the service has acknowledged to a tenant. */
export type Acknowledged = {
  /** Source transactions, of orders by API and by ingest. */
  orders: string[];
  ingested: string[];
  /** Ids of orders. */
  sales: string[];
};

/** A request: what it is known by afterwards, or the refusal. */
type Answer = { known: string } | { refusal: string };

/** For every tenant: orders by API, payloads of an app, and sales at the till, one after the other. */
export function pourLoad(baseUrl: string, tenants: Tenant[]) {
  const acknowledged = new Map<string, Acknowledged>();
  const outcomes = new Map<string, Outcome>();
  let phase = 'start';
  let isPouring = true;

  async function repeat(tenant: Tenant, known: string[], send: (index: number) => Promise<Answer>): Promise<void> {
    for (let index = 0; isPouring; index += 1) {
      const answer = await send(index);
      // Of the phase in which it is answered: one that was under way when a server was killed is refused because of that.
      const outcome = outcomeOf(phase, tenant.node);
      if ('known' in answer) {
        outcome.acknowledged += 1;
        known.push(answer.known);
      } else {
        outcome.refused += 1;
        outcome.firstRefusal ||= answer.refusal.slice(0, REFUSAL_CHARACTERS);
        if (!/^503\b/.test(answer.refusal)) {
          outcome.otherThan503 += 1;
          outcome.firstRefusal = answer.refusal.slice(0, REFUSAL_CHARACTERS);
        }
      }
      await pause(PAUSE_MS);
    }
  }

  function outcomeOf(during: string, node: string): Outcome {
    const key = `${during} ${node}`;
    const outcome = outcomes.get(key) ?? {
      phase: during,
      node,
      acknowledged: 0,
      refused: 0,
      otherThan503: 0,
      firstRefusal: '',
    };
    outcomes.set(key, outcome);
    return outcome;
  }

  const clients = tenants.flatMap((tenant) => {
    const known: Acknowledged = { orders: [], ingested: [], sales: [] };
    acknowledged.set(tenant.id, known);
    const orders = Array.from({ length: ORDER_CLIENTS }, (_, client) =>
      repeat(tenant, known.orders, async (index) => {
        const key = `cluster-${client}-${index}`;
        const answer = await placeOrder(baseUrl, tenant.owner.token, key);
        return answer === 201 ? { known: key } : { refusal: String(answer) };
      }),
    );
    const ingest = repeat(tenant, known.ingested, (index) => sendPayload(baseUrl, tenant, `ingest-${index}`));
    const till = repeat(tenant, known.sales, (index) => sell(baseUrl, tenant, `sale-${index}`));
    return [...orders, ingest, till];
  });

  return {
    async phase(name: string, work: () => Promise<unknown>) {
      phase = name;
      await work();
    },
    async stop() {
      isPouring = false;
      await Promise.all(clients);
      return { acknowledged, outcomes: [...outcomes.values()] };
    },
  };
}

async function sendPayload(baseUrl: string, { install }: Tenant, key: string): Promise<Answer> {
  const body = JSON.stringify({
    source_transaction_id: key,
    version: 1,
    order_status: 'RECEIVED',
    payment_status: 'paid',
    total_amount: 7,
    currency: 'SAR',
    products: [{ product_id: 'P1', sku_id: 'HON-1', quantity: 1, price: 7 }],
  });
  const signature = createHmac('sha256', install.secret).update(body).digest('hex');
  const headers = { 'x-signature': `sha256=${signature}` };
  return post(`${baseUrl}/api/v1/ingest/${install.id}`, headers, body, 202, () => key);
}

function sell(baseUrl: string, { owner }: Tenant, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${owner.token}`, 'idempotency-key': key };
  const body = JSON.stringify({
    branch_iv_id: 'SHOP',
    payment_method: 'cash',
    lines: [{ sku_iv_id: 'A_SHOP', quantity: 2 }],
  });
  return post(`${baseUrl}/api/v1/till/orders`, headers, body, 201, (answer) => answer.data.id);
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  expected: number,
  knownBy: (answer: { data: { id: string } }) => string,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (response.status !== expected) return { refusal: `${response.status} ${text}` };
    return { known: knownBy(JSON.parse(text) as { data: { id: string } }) };
  } catch (error) {
    return { refusal: error instanceof Error ? String(error.cause ?? error.message) : String(error) };
  }
}
