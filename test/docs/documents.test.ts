import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { DemoLogins } from '../../src/demo/logins.ts';
import { startReceiver } from '../../src/platform/outbound/testing/receiver.ts';
import { call, connectPatiently, TEST_SECRET, type TestService, testDatabase, testService } from '../harness/index.ts';
import { outputFaults, readDocuments, shownRefusals } from './compare-output.ts';
import { missingPrograms } from './needed-programs.ts';
import { openSession, type PageSession } from './page-session.ts';
import { type Block, hidesCommands, readBlocks } from './read-blocks.ts';
import { loadSmallDemo } from './small-demo.ts';
import { type RealDelivery, sampleFault } from './verify-samples.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'src/**/README.md', 'sdk/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort();
const blocksOf = (page: string) => readBlocks(page, readFileSync(path.join(ROOT, page), 'utf8'));
const BLOCKS = new Map(PAGES.map((page) => [page, blocksOf(page)]));
const every = [...BLOCKS.values()].flat();

const SHELL = ['sh', 'bash'];
/** Not for a machine: drawings, samples of files, parts of settings. */
const TO_BE_READ = ['', 'text', 'csv', 'ini', 'http'];
const SAMPLES = ['js', 'python', 'php', 'go'];
const missing = missingPrograms();
if (missing.length > 0) process.stdout.write(`The blocks of the documents are not run: no ${missing.join(', ')}\n`);
const at = (block: Block) => `${block.file}:${block.line}`;

/** A folder as a reader has it after `npm start`: the data folder with the demo's logins is in it. */
let folder: string;
let service: TestService;
let logins: DemoLogins;
let env: Record<string, string>;
let receiverPort: number;
/** What takes the place of `dukkan` where a document makes a role and a database: a server has others on it. */
const databaseName = `dukkan_docs_${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  if (missing.length > 0) return;
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-docs-'));
  const dataDir = path.join(folder, '.data');
  await mkdir(dataDir);
  for (const name of ['node_modules', 'docs']) await symlink(path.join(ROOT, name), path.join(folder, name));
  receiverPort = await freePort();
  const database = await testDatabase();
  env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    DATABASE_URL: database.url,
    DUKKAN_SECRET: TEST_SECRET,
    DUKKAN_DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    // The SDK as it is in the repository; readers have built it.
    NODE_OPTIONS: '--conditions=dukkan-source',
  };
  const before = await openSession(folder, env);
  for (const block of every.filter(({ order }) => order.kind === 'first')) await runShell(before, block, undefined);
  await before.end();
  service = await testService(
    {
      DUKKAN_DATA_DIR: dataDir,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: path.join(dataDir, 'hooks/cert.pem'),
      // As many as in the session of the documents, and sooner.
      WEBHOOK_RETRY_DELAYS: '0.2,0.2',
    },
    { database },
  );
  logins = await loadSmallDemo(service.platform);
});
afterAll(async () => {
  if (missing.length > 0) return;
  const admin = connectPatiently(inject('serverUrl'), 1);
  await admin`drop database if exists ${admin(databaseName)} with (force)`;
  await admin`drop role if exists ${admin(databaseName)}`;
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

describe('the documents', () => {
  it('say of every block what it is', () => {
    const known = [...SHELL, ...TO_BE_READ, ...SAMPLES, 'json', 'sql', 'ts'];
    expect(every.filter(({ language }) => !known.includes(language)).map(at)).toEqual([]);
    expect(every.filter(hidesCommands).map(at)).toEqual([]);
  });

  it('show JSON that can be parsed', () => {
    const wrong = every.filter(({ language, text }) => language === 'json' && readDocuments(text) === undefined);
    expect(wrong.map(at)).toEqual([]);
  });

  it('link to pages and headings that are there', () => {
    const lost = PAGES.flatMap((page) => lostLinks(page));
    expect(lost).toEqual([]);
  });

  const pages = [...BLOCKS].filter(([, blocks]) => blocks.some(isRun)).map(([page]) => page);
  it.skipIf(missing.length > 0).each(pages)('%s', async (page) => {
    const session = await openSession(folder, env);
    try {
      if (!page.startsWith('README')) {
        for (const block of every.filter(({ order }) => order.kind === 'everywhere')) {
          if (block.file !== page) await runShell(session, block, undefined);
        }
      }
      const blocks = BLOCKS.get(page) ?? [];
      for (const [index, block] of blocks.entries()) {
        const next = blocks[index + 1];
        await runBlock(session, block, next?.order.kind === 'output' ? next : undefined);
      }
    } finally {
      await session.end();
    }
  });
});

function isRun({ language, order }: Block): boolean {
  if (['no', 'later', 'first', 'output'].includes(order.kind)) return false;
  return SHELL.includes(language) || SAMPLES.includes(language) || language === 'sql';
}

async function runBlock(session: PageSession, block: Block, shown: Block | undefined): Promise<void> {
  if (!isRun(block)) return;
  if (block.language === 'sql') return runSql(block);
  if (block.order.kind === 'verify') return runSample(block);
  const script = SHELL.includes(block.language)
    ? block.text
    : `node --input-type=module <<'END_OF_BLOCK'\n${block.text}\nEND_OF_BLOCK`;
  return runShell(session, { ...block, text: script }, shown);
}

async function runShell(session: PageSession, block: Block, shown: Block | undefined): Promise<void> {
  const { code, out, err, statuses } = await session.run(asHere(block.text));
  const output = `\n${out.slice(-2000)}\n${err.slice(-2000)}`;
  if (code !== 0)
    throw new Error(`${at(block)} ${code === undefined ? 'took too long' : `ended with ${code}`}${output}`);
  const allowed = shown === undefined ? [] : shownRefusals(shown.text);
  const refused = statuses.filter((status) => (status >= 400 || status < 100) && !allowed.includes(status));
  if (block.order.kind !== 'refused' && refused.length > 0) throw new Error(`${at(block)} got ${refused}${output}`);
  if (block.order.kind === 'refused' && !statuses.some((status) => status >= 400)) {
    throw new Error(`${at(block)} is not refused${output}`);
  }
  const faults = shown === undefined ? [] : outputFaults(asHere(shown.text), out);
  if (shown !== undefined && faults.length > 0) throw new Error(`${at(shown)} ${faults.join('\n')}${output}`);
}

async function runSql(block: Block): Promise<void> {
  const sql = connectPatiently(service.databaseUrl, 1);
  try {
    for (const statement of asHere(block.text)
      .split(/;\s*(?:\n|$)/)
      .filter((text) => text.trim() !== '')) {
      await sql.unsafe(statement.replaceAll(/\bdukkan\b/g, databaseName));
    }
  } catch (error) {
    throw new Error(`${at(block)} ${error instanceof Error ? error.message : error}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

let delivery: Promise<RealDelivery> | undefined;

async function runSample(block: Block): Promise<void> {
  delivery ??= receiveTest();
  const place = await mkdtemp(path.join(folder, 'sample-'));
  const fault = await sampleFault(block.language, block.text, await delivery, place);
  if (fault === 'no program')
    process.stdout.write(`${at(block)} was not run: there is no ${block.language} on this machine\n`);
  else if (fault !== undefined) throw new Error(`${at(block)} ${fault}`);
}

/** A real delivery, to a receiver that has the certificate of the documents. */
async function receiveTest(): Promise<RealDelivery> {
  const read = (name: string) => readFile(path.join(folder, '.data/hooks', name), 'utf8');
  const receiver = await startReceiver({ key: await read('key.pem'), cert: await read('cert.pem') });
  const ask = <Body>(target: string, body?: unknown) =>
    call<Body>(service.baseUrl, target, { token: logins.organizations[1]?.owner.token, body });
  const url = `https://127.0.0.1:${receiver.port}/`;
  const { body: made } = await ask<{ id: string; secret: string }>('POST /webhook-subscriptions', { url });
  await ask(`POST /webhook-subscriptions/${made.id}/test`);
  await expect.poll(() => receiver.requests.length).toBe(1);
  await receiver.close();
  const [request] = receiver.requests;
  const headers = request?.headers as Record<string, string>;
  return { body: String(request?.rawBody), headers, secret: made.secret, id: headers['webhook-id'] ?? '' };
}

/** Documents speak of the usual ports. */
function asHere(text: string): string {
  const address = service === undefined ? '' : new URL(service.baseUrl).host;
  return text.replaceAll('127.0.0.1:8080', address).replaceAll('8443', String(receiverPort));
}

function lostLinks(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '');
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)/g)].flatMap(([, file = '', heading]) => {
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    try {
      const there = readFileSync(path.join(ROOT, target), 'utf8');
      const anchors = [...there.matchAll(/^#+ (.*)$/gm)].map(([, words = '']) => anchorOf(words));
      return heading === undefined || anchors.includes(heading.slice(1)) ? [] : [`${page}: ${target}${heading}`];
    } catch {
      return [`${page}: ${target}`];
    }
  });
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
