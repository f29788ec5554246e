import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type TypeScript from '../../sdk/node_modules/typescript/lib/typescript.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
// The generator and the TypeScript that it needs are the SDK's own; the project itself is on a newer one.
const ofSdk = createRequire(path.join(ROOT, 'sdk/package.json'));

const subscribing = (type: string) => `
  type Body = operations['createWebhookSubscription']['requestBody']['content']['application/json'];
  export const body: Body = { url: 'https://erp.example.com/hooks', event_types: ['${type}'] };`;
const READING = `
  type Refusal = operations['createOrder']['responses']['409']['content']['application/json'];
  export const code = (refusal: Refusal): number => refusal.code;
  type Pushed = webhooks['orderEvent']['post']['requestBody']['content']['application/json'];
  export const status = (event: Pushed): components['schemas']['OrderStatus'] => event.order.status;`;

const PROGRAMS = {
  '/subscribes.ts': subscribing('order.created'),
  '/misspells.ts': subscribing('order.craeted'),
  '/reads.ts': READING,
  '/reads-unknown-field.ts': READING.replace('event.order.status', 'event.order.state'),
};
const LIBRARY =
  'interface Array<T> { length: number; [n: number]: T } interface ReadonlyArray<T> { readonly length: number }\n' +
  'interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {} interface NewableFunction {}\n' +
  'interface Number {} interface Object {} interface RegExp {} interface String {}\n' +
  'type Record<K extends keyof any, T> = { [P in K]: T };';

/** The errors of the compiler, by file. */
const errors = new Map<string, string[]>();

beforeAll(async () => {
  const generator = ofSdk('openapi-typescript');
  const description = JSON.parse(await readFile(path.join(ROOT, 'openapi.json'), 'utf8'));
  const types: string = generator.astToString(await generator.default(description));
  compile(ofSdk('typescript'), types);
});

/** Compiles all programs together, since most of the time goes into the types. All files are in memory; no libraries are read. */
function compile(ts: typeof TypeScript, types: string): void {
  const imports = "import type { components, operations, webhooks } from './api';\n";
  const programs = Object.entries(PROGRAMS).map(([name, text]) => [name, imports + text] as const);
  const files = new Map([['/api.ts', types], ['/lib.d.ts', LIBRARY], ...programs]);
  const options = { strict: true, noEmit: true, noLib: true, types: [], target: ts.ScriptTarget.ES2022 };
  const host = {
    fileExists: (name: string) => files.has(name),
    readFile: (name: string) => files.get(name),
    getSourceFile: (name: string) => {
      const text = files.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, options.target);
    },
    getDefaultLibFileName: () => '/lib.d.ts',
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name: string) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  };
  for (const { file, messageText } of ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))) {
    const name = file?.fileName ?? '';
    errors.set(name, [...(errors.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, ' ')]);
  }
}

const errorsOf = (program: keyof typeof PROGRAMS) => errors.get(program) ?? [];

describe('a client whose types are generated from the description', () => {
  test('compiles when it subscribes to an event that exists', () => {
    expect(errorsOf('/subscribes.ts')).toEqual([]);
  });

  test('does not compile when it misspells an event', () => {
    expect(errorsOf('/misspells.ts')).toEqual([
      expect.stringMatching(/^Type '"order\.craeted"' is not assignable to type '"order\.cancelled" \|/),
    ]);
  });

  test('has types for refusals and webhook events, and reports an unknown field', () => {
    expect(errorsOf('/reads.ts')).toEqual([]);
    expect(errorsOf('/reads-unknown-field.ts')).toHaveLength(1);
  });

  test('compiles without errors in the generated types', () => {
    expect([...errors.keys()].filter((name) => !Object.hasOwn(PROGRAMS, name))).toEqual([]);
  });
});
