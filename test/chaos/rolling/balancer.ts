import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small balancer as operators use them: round robin over the backends whose /health answers 200, kept-alive connections to them, and
 * one retry on another backend when a connection is refused or the answer is 503. Any other failure reaches the client.
 */
export type Balancer = {
  url: string;
  add(backend: string): Promise<void>;
  remove(backend: string): void;
  retries(): number;
  close(): Promise<void>;
};

const CHECK_EVERY_MS = 200;

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, boolean>();
  const agent = new http.Agent({ keepAlive: true });
  let next = 0;
  let retries = 0;

  async function check(backend: string): Promise<void> {
    const isHealthy = await fetch(`${backend}/health`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (backends.has(backend)) backends.set(backend, isHealthy);
  }
  const timer = setInterval(() => void Promise.all([...backends.keys()].map(check)), CHECK_EVERY_MS);

  function choose(exceptFor?: string): string | undefined {
    const healthy = [...backends].filter(([backend, isHealthy]) => isHealthy && backend !== exceptFor);
    next += 1;
    return healthy[next % Math.max(1, healthy.length)]?.[0];
  }

  function forward(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer, failed?: string): void {
    const backend = choose(failed);
    const refuse = () => void response.writeHead(502).end('no backend');
    if (backend === undefined) {
      refuse();
      return;
    }
    const retry = () => {
      retries += 1;
      forward(request, response, body, backend);
    };
    const { method, headers } = request;
    const upstream = http.request(`${backend}${request.url}`, { method, headers, agent }, (answer) => {
      if (answer.statusCode === 503 && failed === undefined) {
        answer.resume();
        return retry();
      }
      const { connection: _, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent) response.destroy();
      else if (error.code === 'ECONNREFUSED' && failed === undefined) retry();
      else refuse();
    });
    response.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => forward(request, response, Buffer.concat(parts)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(backend) {
      backends.set(backend, false);
      await check(backend);
    },
    remove: (backend) => void backends.delete(backend),
    retries: () => retries,
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
