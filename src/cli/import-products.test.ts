import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_SECRET, type TestService, testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { readArguments } from './arguments.ts';
import { runImport } from './import-command.ts';
import { importProducts } from './import-products.ts';
import { readProductRows } from './read-product-rows.ts';
import { showProgress } from './show-progress.ts';

const run = promisify(execFile);
let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-import-'));
  service = await testService();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Ran = { code: number; stdout: string; stderr: string };

/** The command as an operator types it, in a process of its own. */
async function dukkan(...args: string[]): Promise<Ran> {
  const settings = { DATABASE_URL: service.databaseUrl, DUKKAN_SECRET: TEST_SECRET, DUKKAN_DATA_DIR: folder };
  try {
    const env = { ...process.env, ...settings };
    return { code: 0, ...(await run(process.execPath, ['src/main.ts', 'import', 'products', ...args], { env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ran;
    return { code, stdout, stderr };
  }
}

/** The same in this process, with what it shows. */
async function importFile(file: string, org: string, options: { report?: string; fromLine?: number } = {}) {
  const given = { file, organizationId: org, report: options.report, fromLine: options.fromLine ?? 1 };
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  const summary = await importProducts(service.platform, given, { write });
  return { summary, shown };
}

let files = 0;
async function fileWith(content: string | Buffer): Promise<string> {
  files += 1;
  const file = path.join(folder, `${files}.csv`);
  await writeFile(file, content);
  return file;
}

async function shopWithBranch(): Promise<string> {
  const { id } = await testOrganization(service.sql);
  const now = new Date();
  await service.sql`
    insert into branches (organization_id, id, iv_id, created, updated) values (${id}, ${newId()}, 'RUH', ${now}, ${now})`;
  return id;
}

const products = (organizationId: string) => service.sql`
  select iv_id, name_en, name_ar, average_price, vat_value, barcode, is_enabled
  from products where organization_id = ${organizationId} and not is_deleted order by iv_id`;

describe('dukkan import products', () => {
  it('saves every row with its SKUs and prints the counts', async () => {
    const org = await shopWithBranch();
    const file = await fileWith(
      [
        '\uFEFFIV_ID, name_en ,name_ar,average_price,vat_value,barcode,is_enabled',
        'P1,"Milk, full cream",حليب كامل الدسم,6.50,15,628100,yes',
        '',
        'P2,"Two ""quoted""\nlines",عسل,10,,,0',
        'P3,Screen 24" wide,,0.05,15,628101,TRUE',
      ].join('\r\n'),
    );
    const { code, stdout, stderr } = await dukkan(file, '--org', org);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ lines: 3, succeeded: 3, failed: 0 });
    const { username } = userInfo();
    const audited = await service.sql`
      select actor_kind, actor_id, actor_name, action, resource, ip, request_id, count(*) as entries from audit_entries
      where organization_id = ${org} group by 1, 2, 3, 4, 5, 6, 7`;
    expect([...audited]).toEqual([
      {
        actor_kind: 'cli',
        actor_id: username,
        actor_name: username,
        action: 'create',
        resource: 'Products',
        ip: '',
        request_id: '',
        entries: 3,
      },
    ]);
    expect([...(await products(org))]).toEqual([
      {
        iv_id: 'P1',
        name_en: 'Milk, full cream',
        name_ar: 'حليب كامل الدسم',
        average_price: 6.5,
        vat_value: 15,
        barcode: '628100',
        is_enabled: true,
      },
      {
        iv_id: 'P2',
        name_en: 'Two "quoted"\nlines',
        name_ar: 'عسل',
        average_price: 10,
        vat_value: 0,
        barcode: '',
        is_enabled: false,
      },
      {
        iv_id: 'P3',
        name_en: 'Screen 24" wide',
        name_ar: '',
        average_price: 0.05,
        vat_value: 15,
        barcode: '628101',
        is_enabled: true,
      },
    ]);
    const skus = await service.sql`select iv_id from skus where organization_id = ${org} order by iv_id`;
    expect(skus.map((sku) => sku.iv_id)).toEqual(['P1_RUH', 'P2_RUH', 'P3_RUH']);
  });

  it('upserts: again does no harm, and an empty cell leaves what is there', async () => {
    const org = await shopWithBranch();
    await importFile(await fileWith('iv_id,name_en,vat_value\nP1,Old,15\n'), org);
    const file = await fileWith('iv_id,name_en,vat_value\nP1,New,\nP2,Other,5\n');
    for (let round = 0; round < 2; round += 1) {
      expect((await importFile(file, org)).summary).toEqual({ lines: 2, succeeded: 2, failed: 0 });
    }
    expect((await products(org)).map((row) => [row.iv_id, row.name_en, row.vat_value])).toEqual([
      ['P1', 'New', 15],
      ['P2', 'Other', 5],
    ]);
  });

  const faulty = [
    'iv_id,name_en,average_price,is_enabled,barcode,brand_id,colour',
    'ok,Fine,1,true,111,,red',
    ',No id,1,true,,,',
    'price,Bad price,12.x,true,,,',
    'flag,Bad flag,1,perhaps,,,',
    'brand,Bad brand,1,true,,nike,',
    'dup,Same barcode,1,true,111,,',
    'short,Too few',
    '"=cmd,x",Odd id and price,-1,true,,,',
    'ok2,Fine,1,true,,,',
  ].join('\n');
  const errors = [
    [3, '', 'iv_id is required'],
    [4, 'price', 'average_price cannot be read: 12.x'],
    [5, 'flag', 'is_enabled cannot be read: perhaps'],
    [6, 'brand', 'Brand does not exist'],
    [7, 'dup', 'Duplicate barcode'],
    [8, 'short', '2 cells, where the header names 7'],
    [9, '=cmd,x', 'average_price must be at least 0'],
  ] as const;

  it('reports each row that fails with its line, as CSV', async () => {
    const org = await shopWithBranch();
    const report = path.join(folder, 'errors.csv');
    const file = await fileWith(faulty);
    const { summary, shown } = await importFile(file, org, { report });
    expect(summary).toEqual({ lines: 9, succeeded: 2, failed: 7 });
    expect(shown).toContain('passed over: colour');
    expect((await readFile(report, 'utf8')).split('\n')).toEqual([
      'line,iv_id,message',
      ...errors.slice(0, 5).map((error) => error.join(',')),
      '8,short,"2 cells, where the header names 7"',
      `9,"'=cmd,x",average_price must be at least 0`,
      '',
    ]);
    expect((await products(org)).map((row) => row.iv_id)).toEqual(['ok', 'ok2']);
  });

  it('reports as JSON lines, and goes on from a line adding to the report', async () => {
    const org = await shopWithBranch();
    const report = path.join(folder, 'errors.jsonl');
    const file = await fileWith(faulty);
    await importFile(file, org, { report });
    const again = await dukkan(file, '--org', org, '--report', report, '--from-line', '8');
    expect(JSON.parse(again.stdout)).toEqual({ lines: 3, succeeded: 1, failed: 2 });
    const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
    const expected = [...errors, ...errors.slice(-2)].map(([line, iv_id, message]) => ({ line, iv_id, message }));
    expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
  });

  it('ends with an error that says how to go on', async () => {
    const { code, stdout, stderr } = await dukkan(await fileWith('iv_id\nP1\n"P2\n'), '--org', await shopWithBranch());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The import stopped after line 0: after that line a quote is opened and not closed');
  });

  it('stops where a quote is never closed, keeps what came before, and says how to go on', async () => {
    const org = await shopWithBranch();
    const good = Array.from({ length: 1_500 }, (_, index) => `P${index},Good\n`).join('');
    const file = await fileWith(`iv_id,name_en\n${good}bad,"never closed\n${'x,y\n'.repeat(10)}`);
    await expect(importFile(file, org)).rejects.toThrow(
      'stopped after line 1001: after that line a quote is opened and not closed; continue with --from-line 1002',
    );
    expect(await products(org)).toHaveLength(1_000);
  });

  it('refuses text that is not UTF-8, row by row', async () => {
    const org = await shopWithBranch();
    const windows1256 = Buffer.concat([Buffer.from('iv_id,name_ar\nP1,'), Buffer.from([0xcd, 0xe1, 0xed, 0xc8, 0x0a])]);
    const report = path.join(folder, 'encoding.csv');
    await importFile(await fileWith(windows1256), org, { report });
    expect(await readFile(report, 'utf8')).toContain('2,P1,name_ar is not in UTF-8');
  });

  it.each([
    ['no file', [], 'takes the name of one CSV file'],
    ['a file that is not there', ['nothing.csv', '--org', 'ORG'], 'nothing.csv'],
    ['no organization', ['some.csv'], '--org is required'],
    ['an unknown organization', ['some.csv', '--org', newId()], 'No organization'],
    ['a line that is no number', ['some.csv', '--org', 'ORG', '--from-line', 'x'], '--from-line'],
  ])('says what is wrong with %s', async (_name, args, message) => {
    const org = await shopWithBranch();
    const typed = ['import', 'products', ...args.map((arg) => (arg === 'ORG' ? org : arg))];
    const { options, words } = readArguments(typed);
    await expect(runImport(service.platform, options, words)).rejects.toThrow(message);
  });

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['no iv_id column', 'code;name\nP1;x\n', 'iv_id among them; it has: code;name'],
    ['a column twice', 'iv_id,name_en,name_en\n', 'the column name_en comes twice'],
  ])('says what is wrong with %s', async (_name, content, message) => {
    const org = await shopWithBranch();
    await expect(importFile(await fileWith(content), org)).rejects.toThrow(message);
  });
});

describe('reading', () => {
  it('goes no further than the rows that were taken, however long the file', async () => {
    const file = await fileWith(`iv_id,name_en\n${`P,${'a long name '.repeat(20)}\n`.repeat(80_000)}`);
    const { rows, bytesRead } = readProductRows(file, () => undefined);
    const iterator = rows[Symbol.asyncIterator]();
    let taken = 0;
    for (let stops = 0; stops < 5; stops += 1) {
      for (let count = 0; count < 1_000; count += 1) {
        if (!(await iterator.next()).done) taken += 1;
      }
      await untilSteady(bytesRead);
      expect(bytesRead()).toBeLessThan(taken * 250 + 1024 * 1024);
    }
    expect(taken).toBe(5_000);
    await iterator.return?.();
  });

  async function untilSteady(read: () => number): Promise<void> {
    for (let quietTurns = 0, last = -1; quietTurns < 100; quietTurns += 1) {
      if (read() !== last) quietTurns = 0;
      last = read();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe('progress', () => {
  const shown = (isTTY: boolean, columns = 80) => {
    let text = '';
    const display = showProgress({ isTTY, columns, write: (more: string) => (text += more) });
    for (let line = 1_000; line <= 30_000; line += 1_000) {
      display.show({ line, succeeded: line - 1, failed: 1, fraction: line / 30_000 });
    }
    display.end();
    return text;
  };

  it('is a bar that draws over itself on a terminal', () => {
    const frames = shown(true).split('\r\u001b[2K').slice(1);
    expect(frames).toHaveLength(30);
    expect(frames[14]).toBe(`${'█'.repeat(12)}${'░'.repeat(12)}  50 %  line 15000: 14999 saved, 1 failed`);
    expect(frames.at(-1)).toBe(`${'█'.repeat(24)} 100 %  line 30000: 29999 saved, 1 failed\n`);
  });

  it('never wraps on a narrow terminal', () => {
    for (const frame of shown(true, 40).split('\r\u001b[2K')) expect(frame.trimEnd().length).toBeLessThan(40);
  });

  it('is a line every ten thousand lines elsewhere', () => {
    expect(shown(false)).toBe(
      ' 33 %  line 10000: 9999 saved, 1 failed\n 66 %  line 20000: 19999 saved, 1 failed\n100 %  line 30000: 29999 saved, 1 failed\n',
    );
  });
});
