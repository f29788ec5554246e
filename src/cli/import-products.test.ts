import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_SECRET, type TestService, testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { checkedUtf8 } from './check-utf8.ts';
import { importProducts } from './import-products.ts';
import { PRODUCT_COLUMNS } from './product-columns.ts';
import { readProductRows } from './read-product-rows.ts';
import { showProgress } from './show-progress.ts';
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
    return { code: 0, ...(await run(process.execPath, ['src/main.ts', 'import', 'products', ...args], { env })) };
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

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['no iv_id column', 'code;name\nP1;x\n', 'iv_id among them; it has: code, name'],
    ['a column twice', 'iv_id,name_en,name_en\n', 'the column name_en comes twice'],
    [
      'columns of something else',
      'iv_id,nmae_en,colour,\nP1,x,red,\n',
      'not of products: nmae_en (did you mean name_en?), colour, (column 4, no name). Take them out, or pass over them with --ignore-unknown-columns',
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

describe('UTF-8', () => {
  /** In pieces of every size, so that a character is cut at each of its bytes. */
  async function faultOf(bytes: Buffer, pieceBytes: number): Promise<string | undefined> {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const taken: Buffer[] = [];
    try {
      for await (const piece of checkedUtf8(pieces())) taken.push(piece);
    } catch (error) {
      return (error as Error).message;
    }
    expect(Buffer.concat(taken)).toEqual(bytes);
    return undefined;
  }
  const sound = Buffer.from('\uFEFFa,ب\r\nحليب,€,🥛\n');

  it.each([
    ['an Arabic code page', [0xcd, 0xe1], '0xcd', 0],
    ['a character that is cut off', [0xf0, 0x9f, 0xa5], '0xf0', 0],
    ['a lone rest of one', [0x41, 0x82], '0x82', 1],
    ['a surrogate', [0xed, 0xa0, 0x80], '0xed', 0],
    ['an overlong slash', [0xc0, 0xaf], '0xc0', 0],
    ['UTF-16', [0xff, 0xfe, 0x69, 0x00], '0xff', 0],
  ])('%s is refused by its line and byte', async (_what, wrong, byte, at) => {
    for (let pieceBytes = 1; pieceBytes <= 8; pieceBytes += 1) {
      expect(await faultOf(Buffer.concat([sound, Buffer.from(wrong)]), pieceBytes)).toContain(
        `line 3 has the byte ${byte} (byte ${sound.length + at + 1} of the file)`,
      );
      expect(await faultOf(Buffer.concat([sound, Buffer.from(wrong), Buffer.from('\nx')]), pieceBytes)).toContain(
        `line 3 has the byte ${byte} (byte ${sound.length + at + 1} of the file)`,
      );
      expect(await faultOf(sound, pieceBytes)).toBeUndefined();
    }
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
