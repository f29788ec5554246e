import { setTimeout as pause } from 'node:timers/promises';

export type Load = { acknowledged: Set<string>; failures: string[]; stop(): Promise<void> };

/** Clients that place one order after the other and do not retry: what the balancer does not hide is a failure. */
export function placeOrders(baseUrl: string, token: string, clients: number, pauseMs: number): Load {
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  let isRunning = true;
  async function client(number: number): Promise<void> {
    for (let index = 0; isRunning; index += 1) {
      const key = `rolling-${number}-${index}`;
      const outcome = await placeOrder(baseUrl, token, key);
      if (outcome === 201) acknowledged.add(key);
      else failures.push(`${new Date().toISOString()} ${key}: ${outcome}`);
      await pause(pauseMs);
    }
  }
  const running = Array.from({ length: clients }, (_, number) => client(number));
  return {
    acknowledged,
    failures,
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

export async function placeOrder(baseUrl: string, token: string, key: string): Promise<number | string> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        source_transaction_id: key,
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        skus: ['s'],
        products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 5 }],
        total_amount: 5,
      }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return response.status === 201 ? 201 : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error.message) : String(error);
  }
}

export type Stream = { ids: string[]; resumes(): number; stop(): void };

/** Reads the event stream and resumes with `Last-Event-ID`, as a browser's EventSource does. */
export function followStream(baseUrl: string, token: string): Stream {
  const ids: string[] = [];
  let lastId = '';
  let resumes = -1;
  const ending = new AbortController();
  async function read(): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, ...(lastId !== '' && { 'last-event-id': lastId }) };
    const response = await fetch(`${baseUrl}/api/v1/orders/changes/stream`, { headers, signal: ending.signal });
    if (!response.ok) return;
    resumes += 1;
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const id = /^id: ?(.+)$/m.exec(event)?.[1];
        if (id === undefined || !/^data:/m.test(event)) continue;
        lastId = id;
        ids.push(id);
      }
    }
  }
  void (async () => {
    while (!ending.signal.aborted) {
      await read().catch(() => undefined);
      await pause(100);
    }
  })();
  return { ids, resumes: () => resumes, stop: () => ending.abort() };
}
