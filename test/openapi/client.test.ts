import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type TypeScript from '../../sdk/node_modules/typescript/lib/typescript.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
// The generator and the TypeScript that it needs are the SDK's own; the project itself is on a newer one.
const ofSdk = createRequire(path.join(ROOT, 'sdk/package.json'));

let types: string;
let compile: (program: string) => string[];

beforeAll(async () => {
  const generator = await import(pathToFileURL(ofSdk.resolve('openapi-typescript')).href);
  const description = JSON.parse(await readFile(path.join(ROOT, 'openapi.json'), 'utf8'));
  types = generator.astToString(await generator.default(description));
  compile = compiler(ofSdk('typescript'));
});

/** Both files are in memory, and no libraries are read: only what the description says of itself is under test. */
function compiler(ts: typeof TypeScript): (program: string) => string[] {
  const parse = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  const parsedTypes = parse('/api.ts', types);
  return (program) => {
    const files = new Map([
      ['/api.ts', types],
      ['/program.ts', `import type { components, operations, webhooks } from './api';\n${program}`],
      [
        '/lib.d.ts',
        'interface Array<T> { length: number; [n: number]: T } interface ReadonlyArray<T> { readonly length: number }\n' +
          'interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {} interface NewableFunction {}\n' +
          'interface Number {} interface Object {} interface RegExp {} interface String {}\n' +
          'type Record<K extends keyof any, T> = { [P in K]: T };',
      ],
    ]);
    const options = { strict: true, noEmit: true, noLib: true, types: [], target: ts.ScriptTarget.ES2022 };
    const host = {
      fileExists: (name: string) => files.has(name),
      readFile: (name: string) => files.get(name),
      getSourceFile: (name: string) => {
        const text = files.get(name);
        if (name === '/api.ts') return parsedTypes;
        return text === undefined ? undefined : parse(name, text);
      },
      getDefaultLibFileName: () => '/lib.d.ts',
      getCurrentDirectory: () => '/',
      getCanonicalFileName: (name: string) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      writeFile: () => undefined,
    };
    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
    return diagnostics.map(
      ({ file, messageText }) => `${file?.fileName} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  };
}

describe('a client whose types are generated from the description', () => {
  const subscribing = (type: string) => `
    type Body = operations['createWebhookSubscription']['requestBody']['content']['application/json'];
    export const body: Body = { url: 'https://erp.example.com/hooks', event_types: ['${type}'] };`;

  test('compiles when it subscribes to an event that there is', () => {
    expect(compile(subscribing('order.created'))).toEqual([]);
  });

  test('does not compile when it misspells one', () => {
    expect(compile(subscribing('order.craeted'))).toEqual([
      expect.stringMatching(/^\/program\.ts Type '"order\.craeted"' is not assignable to type '"order\.cancelled" \|/),
    ]);
  });

  test('knows what a refusal and a pushed event look like', () => {
    const program = `
      type Refusal = operations['createOrder']['responses']['409']['content']['application/json'];
      export const code = (refusal: Refusal): number => refusal.code;
      type Pushed = webhooks['orderEvent']['post']['requestBody']['content']['application/json'];
      export const status = (event: Pushed): components['schemas']['OrderStatus'] => event.order.status;`;
    expect(compile(program)).toEqual([]);
    expect(compile(program.replace('event.order.status', 'event.order.state'))).toHaveLength(1);
  });
});
