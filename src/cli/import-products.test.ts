import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_SECRET, type TestService, testOrganization, testService } from '../../test/harness/index.ts';
import { programFile } from '../../test/start/program.ts';
import { newId } from '../platform/ids.ts';
import { importProducts } from './import-products.ts';
import { PRODUCT_COLUMNS } from './product-columns.ts';
import { runLine } from './testing/run-line.ts';

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
    return { code: 0, ...(await run(process.execPath, [programFile(), 'import', 'products', ...args], { env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ran;
    return { code, stdout, stderr };
  }
}

/** The same in this process, with what it shows. */
async function importFile(
  file: string,
  org: string,
  options: { report?: string; fromLine?: number; ignoreUnknownColumns?: boolean } = {},
) {
  const { report, fromLine = 1, ignoreUnknownColumns = false } = options;
  const given = { file, organizationId: org, report, fromLine, ignoreUnknownColumns };
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
    const { code, stdout, stderr } = await dukkan(file, '--org', org, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ lines: 3, succeeded: 3, failed: 0, failures: [] });
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
      expect((await importFile(file, org)).summary).toEqual({ lines: 2, succeeded: 2, failed: 0, failures: [] });
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
    [4, 'price', 'average_price cannot be read: 12.x (it takes a number with a point for decimals such as 18.95)'],
    [5, 'flag', 'is_enabled cannot be read: perhaps (it takes one of true yes 1 false no 0)'],
    [6, 'brand', 'Brand does not exist'],
    [7, 'dup', 'Duplicate barcode'],
    [8, 'short', '2 cells, where the header names 7'],
    [9, '=cmd,x', 'average_price must be at least 0'],
  ] as const;

  const columns = ['iv_id', 'average_price', 'is_enabled', 'brand_id', 'barcode', null, 'average_price'];

  it('reports each row that fails with its line, as CSV', async () => {
    const org = await shopWithBranch();
    const report = path.join(folder, 'errors.csv');
    const file = await fileWith(faulty);
    const { summary, shown } = await importFile(file, org, { report, ignoreUnknownColumns: true });
    expect(summary).toMatchObject({ lines: 9, succeeded: 2, failed: 7 });
    expect(summary.failures).toEqual(
      errors.map(([line, iv_id, message], index) => ({ line, column: columns[index], iv_id, message })),
    );
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

  it.each(['\u200b=cmd', '＝cmd', '\u2060 @cmd'])('guards the iv_id %j in a report as CSV', async (ivId) => {
    const org = await shopWithBranch();
    const report = path.join(folder, 'formulas.csv');
    const { summary } = await importFile(await fileWith(`iv_id,average_price\n${ivId},-1\n`), org, { report });
    expect(summary.failed).toBe(1);
    const [, row] = (await readFile(report, 'utf8')).split('\n');
    expect(row).toBe(`2,'${ivId},average_price must be at least 0`);
  });

  it('reports as JSON lines, and goes on from a line adding to the report', async () => {
    const org = await shopWithBranch();
    const report = path.join(folder, 'errors.jsonl');
    const file = await fileWith(faulty);
    await importFile(file, org, { report, ignoreUnknownColumns: true });
    const again = await runLine(
      service.platform,
      ...['import', 'products', file, '--org', org, '--report', report, '--from-line', '8'],
      ...['--ignore-unknown-columns', '--json'],
    );
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject({ lines: 3, succeeded: 1, failed: 2 });
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

  it('refuses a file that is not UTF-8 before anything is saved, naming the line and the byte', async () => {
    const org = await shopWithBranch();
    const start = `iv_id,name_ar\r\n${Array.from({ length: 1_500 }, (_, index) => `P${index},حليب\r\n`).join('')}Q1,`;
    const windows1256 = Buffer.concat([Buffer.from(start), Buffer.from([0xcd, 0xe1, 0xed, 0xc8, 0x0a])]);
    await expect(importFile(await fileWith(windows1256), org)).rejects.toThrow(
      `Nothing was imported: the file is not in UTF-8: line 1502 has the byte 0xcd (byte ${Buffer.byteLength(start) + 1} of the file)`,
    );
    expect(await products(org)).toEqual([]);
  });

  it('shows the first ten failures with line and column, where quoted cells go over several lines', async () => {
    const org = await shopWithBranch();
    const rows = Array.from({ length: 12 }, (_, index) => `B${index},bad,x`);
    const lines = [
      'iv_id;name_en;average_price',
      '',
      'A1;"three',
      '',
      'lines";1',
      ';;',
      ...rows.map((row) => row.replaceAll(',', ';')),
    ];
    const file = await fileWith(`${lines.join('\r\n')}\r\n`);
    const { code, out } = await runLine(service.platform, 'import', 'products', file, '--org', org);
    expect(code).toBe(1);
    expect(out).toMatch(/^lines +13\nsucceeded +1\nfailed +12\n\nline +column +iv_id +message\n7 +average_price +B0 +/);
    expect(out).toMatch(/\n16 +average_price +B9 .*\nand 2 more; --report FILE writes down all of them\n$/);
    expect(lines[6]).toBe('B0;bad;x');
    expect((await products(org)).map((row) => row.name_en)).toEqual(['three\r\n\r\nlines']);
  });

  it('counts a row by the line it begins on, and goes on after the lines it takes', async () => {
    const org = await shopWithBranch();
    const file = await fileWith('iv_id,name_en,average_price\n"P1","a\nb\nc",x\nP2,fine,y\n');
    const failedLines = (await importFile(file, org)).summary.failures.map(({ line }) => line);
    expect(failedLines).toEqual([2, 5]);
    for (const fromLine of [3, 4, 5]) {
      expect((await importFile(file, org, { fromLine })).summary.failures).toMatchObject([{ line: 5 }]);
    }
  });

  it.each<[string, string[], string]>([
    ['no file', [], 'takes the name of one CSV file'],
    ['two files', ['a.csv', 'b.csv', '--org', 'ORG'], 'takes one FILE'],
    ['a file that is not there', ['nothing.csv', '--org', 'ORG'], 'nothing.csv'],
    ['no organization', ['some.csv'], '--org is required'],
    ['an unknown organization', ['some.csv', '--org', newId()], 'No organization'],
    ['a line that is no number', ['some.csv', '--org', 'ORG', '--from-line', 'x'], '--from-line'],
    ['a template of an organization', ['--template', '--org', 'ORG'], '--org has no meaning beside it'],
  ])('says what is wrong with %s', async (_name, args, message) => {
    const org = await shopWithBranch();
    const typed = ['import', 'products', ...args.map((arg) => (arg === 'ORG' ? org : arg))];
    await expect(runLine(service.platform, ...typed)).rejects.toThrow(message);
  });

  it('fails when the file has no row from the given line on', async () => {
    const org = await shopWithBranch();
    const file = await fileWith('iv_id,name_en\nP1,x\n');
    await expect(importFile(file, org, { fromLine: 30 })).rejects.toThrow(
      'Nothing was imported: the file has no rows from line 30 on',
    );
  });

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['no rows', 'iv_id,name_en\n\n', 'Nothing was imported: the file has no rows'],
    ['no iv_id column', 'code;name\nP1;x\n', 'iv_id among them; it has: code, name'],
    ['a column twice', 'iv_id,name_en,name_en\n', 'the column name_en comes twice'],
    [
      'columns of something else',
      'iv_id,nmae_en,colour,\nP1,x,red,\n',
      'not of products: nmae_en (did you mean name_en?), colour, (column 4, no name). Remove them, or skip them with --ignore-unknown-columns',
    ],
  ])('says what is wrong with %s', async (_name, content, message) => {
    const org = await shopWithBranch();
    await expect(importFile(await fileWith(content), org)).rejects.toThrow(message);
  });
});

describe('the template', () => {
  it('is written once, with every column, and can be imported as it is', async () => {
    const file = path.join(folder, 'template.csv');
    expect(await runLine(undefined, 'import', 'products', '--template', file)).toMatchObject({ code: 0, shown: '' });
    const [header, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(header).toBe(`\uFEFF${PRODUCT_COLUMNS.map(({ name }) => name).join(',')}`);
    expect(rows).toHaveLength(2);
    expect(rows.every((row) => /[\u0600-\u06ff]/.test(row))).toBe(true);
    const again = runLine(undefined, 'import', 'products', '--template', file);
    await expect(again).rejects.toThrow('template.csv is there already');
    const { summary } = await importFile(file, await shopWithBranch());
    expect(summary).toEqual({ lines: 2, succeeded: 2, failed: 0, failures: [] });
  });

  it('goes to standard output without a file', async () => {
    const { out } = await runLine(undefined, 'import', 'products', '--template');
    expect(out).toMatch(/^iv_id,name_en,.*\nPAN-EXTRA-24,/);
  });
});
