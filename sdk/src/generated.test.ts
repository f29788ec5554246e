import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../generate.ts';
import type TypeScript from '../node_modules/typescript/lib/typescript.js';

const SDK = path.resolve(import.meta.dirname, '..');
const ts: typeof TypeScript = createRequire(import.meta.url)('typescript');

test('the generated files are those of the description; npm run openapi writes them', async () => {
  const description = JSON.parse(await readFile(path.join(SDK, '../openapi.json'), 'utf8'));
  const { types, operations } = await generate(description);
  expect(operations === (await readFile(path.join(SDK, 'src/operations.gen.ts'), 'utf8'))).toBe(true);
  expect(types === (await readFile(path.join(SDK, 'src/types.gen.ts'), 'utf8'))).toBe(true);
});

const PROGRAMS = {
  'as it should be': [
    `for await (const order of dukkan.items('listOrders', { query: { format: 'canonical', limit: 10 } })) order.amounts.total.toFixed(2);`,
    [],
  ],
  'an operation that there is not': [`await dukkan.call('listOrder');`, [/'"listOrder"' is not assignable/]],
  'an event that there is not': [
    `dukkan.changes({ eventTypes: ['order.craeted'] });`,
    [/Type '"order.craeted"' is not assignable to type '"order.cancelled" \|.*Did you mean '"order.created"'/],
  ],
  'the same in a body': [
    `await dukkan.call('createWebhookSubscription', { body: { url: 'https://erp.example', event_types: ['order.craeted'] } });`,
    [/Type '"order.craeted"' is not assignable/],
  ],
  'a parameter that there is not': [
    `await dukkan.call('listProducts', { query: { serach: 'milk' } });`,
    [/'serach' does not exist in type|did you mean to write 'search'/],
  ],
  'a path that is missing': [`await dukkan.call('getBranch', {});`, [/Property 'path' is missing/]],
  'arguments that are missing': [
    `await dukkan.call('getBranch');`,
    [/Expected 2 arguments|"getBranch"' is not assignable/],
  ],
  'a field that the answer has not': [
    `(await dukkan.call('listProducts')).data[0]?.nam_en;`,
    [/Property 'nam_en' does not exist/],
  ],
  'a list of what is none': [
    `dukkan.pages('getBranch', { path: { ivId: 'A' } });`,
    [/'"getBranch"' is not assignable/],
  ],
  'a queue for what has none': [
    `await dukkan.callLater('createBrand', { body: {} });`,
    [/'"createBrand"' is not assignable/],
  ],
} as const;

describe('a program that uses the package', () => {
  const faults = new Map<string, string[]>();
  const written = new Map<string, string>();

  // Compiled once, by the package's own settings: for browsers, without the types of Node.
  beforeAll(() => {
    const { config } = ts.readConfigFile(path.join(SDK, 'tsconfig.json'), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, SDK);
    const programs = new Map(
      Object.entries(PROGRAMS).map(([name, [text]]) => [
        path.join(SDK, 'src', `${name}.ts`),
        `import { createDukkan } from './index.ts';\nconst dukkan = createDukkan({ baseUrl: '' });\n${text}\nexport {};\n`,
      ]),
    );
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile: readSource, getSourceFile } = host;
    host.fileExists = (name) => programs.has(path.normalize(name)) || fileExists(name);
    host.readFile = (name) => programs.get(path.normalize(name)) ?? readSource(name);
    host.getSourceFile = (name, target, ...more) => {
      const text = programs.get(path.normalize(name));
      return text === undefined ? getSourceFile(name, target, ...more) : ts.createSourceFile(name, text, target);
    };
    host.writeFile = (name, text) => written.set(path.relative(path.join(SDK, 'dist'), name), text);
    const program = ts.createProgram([...fileNames, ...programs.keys()], { ...options, declaration: false }, host);
    for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
      const name = path.basename(file?.fileName ?? '', '.ts');
      faults.set(name, [...(faults.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, ' ')]);
    }
    program.emit();
  });

  test.each(Object.entries(PROGRAMS))('%s', (name, [, wanted]) => {
    expect(faults.get(name) ?? []).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)));
  });

  test('has no other fault', () => {
    expect([...faults.keys()].filter((name) => !Object.hasOwn(PROGRAMS, name))).toEqual([]);
  });

  test('runs as plain JavaScript', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-sdk-'));
    try {
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
      for (const [name, text] of written) await writeFile(path.join(folder, name), text);
      const program = `import { createDukkan, EVENT_TYPES } from './index.js';
        console.log(typeof createDukkan({ baseUrl: '' }).call, EVENT_TYPES.length);`;
      await writeFile(path.join(folder, 'use.mjs'), program);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--no-strip-types',
        path.join(folder, 'use.mjs'),
      ]);
      expect(stdout.trim()).toBe('function 8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
