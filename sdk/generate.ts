import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HERE = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const TYPES_FILE = HERE('src/types.gen.ts');
const OPERATIONS_FILE = HERE('src/operations.gen.ts');
const API_PREFIX = '/api/v1';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Parameter = { name: string; in: string };
type Operation = {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown>; headers?: unknown }>;
};
export type Description = {
  paths: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
  components: { parameters?: Record<string, Parameter>; schemas: Record<string, { enum?: string[] }> };
};

/** The two generated files of the client, from the description of the service. */
export async function generate(description: Description): Promise<{ types: string; operations: string }> {
  return { types: await generateTypes(description), operations: generateOperations(description) };
}

const NO_HEADERS = /^ {8}headers: \{\n {10}\[name: string\]: unknown;\n {8}\};\n(?= {8}content)/gm;
const NOTICE = '// Generated from openapi.json by `npm run openapi`; not to be edited.\n\n';

/**
 * Refusals, headers and examples are left out: a refusal is thrown as a DukkanError whatever the operation, headers are the
 * client's own affair, and with all three the file has 1.1 MB instead of a tenth of it.
 */
async function generateTypes(description: Description): Promise<string> {
  const slim = structuredClone(withoutExamples(description)) as Description;
  for (const operation of operationsOf(slim)) {
    operation.parameters = operation.parameters?.filter((given) => findParameter(given, slim)?.in !== 'header');
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { headers, ...response }]) => [status, response]),
    );
  }
  const ast = await openapiTS(slim as unknown as OpenAPI3);
  // Operations are looked up by id; the second index by path and method would only double the size.
  const kept = ast.filter((node) => (node as { name?: { text?: string } }).name?.text !== 'paths');
  const text = astToString(kept).replaceAll('    ', '  ');
  return (
    NOTICE + text.replace(/^ +(?:query|header|path|cookie|requestBody)\?: never;\n/gm, '').replaceAll(NO_HEADERS, '')
  );
}

/** Enough to send a request: `METHOD path flags`, a line an operation. */
function generateOperations(description: Description): string {
  const lines: string[] = [];
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation === undefined) continue;
      if (!path.startsWith(`${API_PREFIX}/`)) throw new Error(`${path} does not begin with ${API_PREFIX}`);
      const flags = flagsOf(operation, description);
      const line = [method.toUpperCase(), path.slice(API_PREFIX.length), flags].filter(Boolean).join(' ');
      lines.push(`  ${operation.operationId}: '${line}',\n`);
    }
  }
  const types = description.components.schemas.EventType?.enum ?? [];
  return (
    `${NOTICE}/** By operation: method, path and what it takes (o: an organization, i: an idempotency key, a: X-Async). */\n` +
    `export const OPERATIONS = {\n${lines.sort().join('')}} as const;\n\n` +
    '/** Every event of the change feed and of webhooks. */\n' +
    `export const EVENT_TYPES = [\n${types.map((type) => `  '${type}',\n`).join('')}] as const;\n`
  );
}

function flagsOf({ parameters = [] }: Operation, description: Description): string {
  const headers = parameters
    .map((given) => findParameter(given, description))
    .filter((parameter) => parameter?.in === 'header')
    .map((parameter) => parameter?.name.toLowerCase());
  const flags = { o: 'x-organization-id', i: 'idempotency-key', a: 'x-async' };
  return Object.entries(flags)
    .filter(([, header]) => headers.includes(header))
    .map(([flag]) => flag)
    .join('');
}

function findParameter(given: Parameter | { $ref: string }, { components }: Description): Parameter | undefined {
  return '$ref' in given ? components.parameters?.[given.$ref.split('/').pop() ?? ''] : given;
}

function operationsOf(description: Description): Operation[] {
  return Object.values(description.paths).flatMap((methods) =>
    METHODS.flatMap((method) => (methods[method] === undefined ? [] : [methods[method]])),
  );
}

/** By place, not by name alone: a field that is called `example` stays. */
function withoutExamples(value: unknown, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item, parent));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => parent === 'properties' || (name !== 'example' && name !== 'examples'))
      .map(([name, part]) => [name, withoutExamples(part, name)]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const description = JSON.parse(await readFile(HERE('../openapi.json'), 'utf8'));
  const { types, operations } = await generate(description);
  await writeFile(TYPES_FILE, types);
  await writeFile(OPERATIONS_FILE, operations);
}
