import { request } from 'undici';

export type Call = {
  token?: string;
  apiKey?: string;
  organizationId?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer | FormData;
};

export type Reply<Body = Record<string, unknown>> = { status: number; headers: Headers; text: string; body: Body };

/** One request over real HTTP. `target` is `GET /branches`; the API prefix is added to paths that lack it. */
export async function call<Body = ReplyBody>(
  baseUrl: string,
  target: string,
  options: Call = {},
): Promise<Reply<Body>> {
  const [method = 'GET', path = '/'] = target.split(' ', 2);
  const url =
    path.startsWith('/api/') || path.startsWith('//') ? baseUrl + path.replace('//', '/') : `${baseUrl}/api/v1${path}`;
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.apiKey !== undefined) headers['x-api-key'] = options.apiKey;
  if (options.organizationId !== undefined) headers['x-organization-id'] = options.organizationId;
  if (options.body !== undefined) headers['content-type'] ??= 'application/json';
  const body = options.body === undefined ? options.raw : JSON.stringify(options.body);
  const response =
    body instanceof FormData ? await sendForm(url, method, headers, body) : await send(url, method, headers, body);
  return { ...response, body: parse(response.text) as Body };
}

type Answer = Omit<Reply, 'body'>;

/** Not `fetch`, which takes twice the CPU time: 0.8 ms per request of an empty server, 0.4 ms this way. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
): Promise<Answer> {
  const sent: Record<string, string> = { accept: '*/*', 'user-agent': 'node' };
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  if (typeof body === 'string') sent['content-type'] ??= 'text/plain;charset=UTF-8';
  const response = await request(url, { method, headers: sent, body: body ?? null });
  const answered = new Headers();
  for (const [name, value = ''] of Object.entries(response.headers)) {
    for (const one of [value].flat()) answered.append(name, one);
  }
  return { status: response.statusCode, headers: answered, text: await response.body.text() };
}

async function sendForm(url: string, method: string, headers: Record<string, string>, form: FormData): Promise<Answer> {
  // Named so that it also compiles beside the types of browsers.
  const response = await fetch(url, { method, headers, body: form as RequestInit['body'], redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Tests read bodies whose types the compiler does not know; the assertions describe them. */
export type ReplyBody = any;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
