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
  const response = await fetch(url, {
    method,
    headers,
    // Named so that it also compiles beside the types of browsers.
    body: (options.body === undefined ? options.raw : JSON.stringify(options.body)) as RequestInit['body'],
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) as Body };
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
