import type { LoadPlan, Request, RequestMaker } from './plan.ts';

function encodeRequest(host: string, { method, path, headers, body }: Request): string {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  let head = `${method ?? (text === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  if (text === undefined) return `${head}\r\n`;
  if (typeof body === 'object') head += 'Content-Type: application/json\r\n';
  return `${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** The bytes of each next request. A request that never changes is encoded once. */
export async function openRequests(plan: LoadPlan): Promise<() => string | Buffer> {
  const { host } = new URL(plan.baseUrl);
  if ('request' in plan) {
    const bytes = Buffer.from(encodeRequest(host, plan.request));
    return () => bytes;
  }
  const exported = (await import(plan.module)) as Record<string, unknown>;
  const maker = exported[plan.maker];
  if (typeof maker !== 'function') throw new Error(`${plan.module} exports no function ${plan.maker}`);
  const next = (maker as RequestMaker<unknown>)(plan.params);
  return () => encodeRequest(host, next());
}
