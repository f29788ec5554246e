// Sends every example of the API reference to a running demo, as its page does, and prints the status of each:
//   node scripts/send-examples.mjs <data folder of the demo>
// Changes the demo: run it on one that you can throw away.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ORDER = ['get', 'put', 'patch', 'post', 'delete'];
/** Creating a branch or a product adds SKUs to all others, which then cannot be deleted without `force`. */
const FIRST = ['deleteBranch', 'deleteProduct'];
/** These end what others need; `logOut` ends a session of its own. */
const LAST = ['suspendOrganization', 'resumeOrganization', 'endOtherSessions', 'changePassword', 'logOut'];
const ANSWER_WITHIN_MS = 60_000;

const logins = JSON.parse(readFileSync(join(process.argv[2] ?? '.data', 'demo.json'), 'utf8'));
const document = await (await fetch(`${logins.base_url}/api/v1/openapi.json`)).json();
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
  .sort((one, other) => rank(one) - rank(other));

const statuses = new Map();
for (const { path, method, operation } of operations) {
  for (const { name, ...body } of bodiesOf(operation)) {
    const { status, reason } = await send(path, method, operation, body);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    console.log(
      [status, operation.operationId, `${method.toUpperCase()} ${path}`, name, reason].filter(Boolean).join('  '),
    );
  }
}
console.log(
  [...statuses]
    .sort()
    .map(([status, count]) => `${count} x ${status}`)
    .join(', '),
);

function rank({ method, operation }) {
  if (FIRST.includes(operation.operationId)) return -1;
  const last = LAST.indexOf(operation.operationId);
  return last < 0 ? ORDER.indexOf(method) : ORDER.length + last;
}

function resolve(part) {
  if (part?.$ref === undefined) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((found, key) => found[key], document);
}

function bodiesOf({ requestBody }) {
  const content = Object.entries(resolve(requestBody)?.content ?? {});
  if (content.length === 0) return [{}];
  const named = content.flatMap(([media, { example, examples, schema }]) => {
    const several = Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, media, value, schema }));
    if (several.length > 0) return several;
    const value = example ?? resolve(schema)?.example ?? resolve(schema)?.examples?.[0];
    return value === undefined ? [] : [{ media, value, schema }];
  });
  return named.length > 0 ? named : [{}];
}

async function send(path, method, operation, { media, value, schema }) {
  const parameters = (operation.parameters ?? []).map(resolve).map((parameter) => ({
    ...parameter,
    value: parameter.example ?? Object.values(parameter.examples ?? {})[0]?.value ?? resolve(parameter.schema)?.example,
  }));
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, name) => {
      return encodeURIComponent(parameters.find((one) => one.in === 'path' && one.name === name)?.value);
    }),
    logins.base_url,
  );
  const headers = {};
  for (const one of parameters.filter(({ required }) => required)) {
    if (one.in === 'query') url.searchParams.set(one.name, one.value);
    if (one.in === 'header') headers[one.name] = one.value;
  }
  if (operation.security?.length !== 0) headers.authorization = `Bearer ${await tokenFor(path, operation)}`;
  const body = bodyOf(media, value, resolve(schema));
  if (typeof body === 'string') headers['content-type'] = media;
  try {
    const answer = await fetch(url, {
      method: method.toUpperCase(),
      headers,
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
    const text = isStream ? '' : await answer.text();
    if (isStream) await answer.body.cancel();
    return { status: answer.status, reason: answer.status < 400 ? '' : text.slice(0, 200) };
  } catch (error) {
    return { status: 0, reason: error.message };
  }
}

async function tokenFor(path, { operationId }) {
  const { owner } = logins.organizations[0];
  if (operationId === 'logOut') return (await signIn(owner)).access_token;
  const isOperators = /^\/api\/v1\/(commercial|leads|health\/system|telemetry)/.test(path);
  return isOperators ? logins.commercial.token : owner.token;
}

async function signIn({ email, password }) {
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${logins.base_url}/api/v1/auth/login`, { method: 'POST', headers, body })).json();
}

function bodyOf(media, value, schema) {
  if (media !== 'multipart/form-data') {
    return value === undefined || (typeof value === 'string' && media !== 'application/json')
      ? value
      : JSON.stringify(value);
  }
  const form = new FormData();
  for (const [name, part] of Object.entries(schema?.properties ?? {})) {
    const { format, example = value?.[name] } = resolve(part);
    if (format === 'binary') {
      if (example !== undefined) form.append(name, new Blob([example]), value?.name ?? 'example');
    } else if (example !== undefined)
      form.append(name, typeof example === 'object' ? JSON.stringify(example) : String(example));
  }
  return form;
}
