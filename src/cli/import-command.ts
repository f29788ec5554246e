import { writeFile } from 'node:fs/promises';
import { type Answer, defineCommand, UsageError } from './command.ts';
import { existingOrganization } from './existing-organization.ts';
import { alignColumns, formatPairs, formatTable } from './format-text.ts';
import { type ImportSummary, importProducts, SHOWN_FAILURES } from './import-products.ts';
import { describeColumns, writeTemplate } from './product-columns.ts';

const DETAILS = `Columns, in any order, named in the first line
${describeColumns()}

The file
${alignColumns([
  ['  encoding', 'UTF-8, with or without a byte order mark'],
  [
    '  delimiter',
    'comma or semicolon, as the first line has it; cells that hold it, a quote or a line break go in "quotes"',
  ],
  ['  empty cell', 'the field keeps the value it has, or gets its default in a new product'],
  ['  iv_id', 'a product that has it is changed, otherwise it is made; importing twice does no harm'],
])}

Rows that fail are counted and the first ${SHOWN_FAILURES} shown, with line and column; the others are saved. It ends with 1 when rows failed,
0 when all went in.`;

const importProductFile = defineCommand({
  name: 'import products',
  summary: 'save the products of a CSV file',
  argument: { name: 'FILE', meaning: 'the CSV file; with --template, where to write one', required: false },
  options: {
    org: { value: 'ID', meaning: 'whose products (required, except with --template)' },
    report: {
      value: 'FILE',
      meaning: 'write every row that failed there, as CSV, or as JSON lines when it ends in .jsonl',
    },
    'from-line': { value: 'N', meaning: 'pass over rows before this line: to go on with an import that stopped' },
    'ignore-unknown-columns': { meaning: 'pass over columns that are not of products; otherwise they are refused' },
    template: { meaning: 'write a file with all columns and two rows, to FILE or to standard output' },
  },
  example: 'import products catalog.csv --org 0193a1f0-7c00-7000-8000-000000000001 --report failed.csv',
  details: DETAILS,
  async run(context, { options, argument: file }) {
    if (options.template) {
      refuseBesideTemplate(options);
      return writeTemplateTo(file);
    }
    if (file === undefined) throw new UsageError('import products takes the name of one CSV file');
    if (options.org === undefined) throw new UsageError('--org is required');
    const fromLine = readLine(options['from-line']);
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.org);
    const { report } = options;
    const ignoreUnknownColumns = options['ignore-unknown-columns'];
    const given = { file, organizationId, report, fromLine, ignoreUnknownColumns };
    return summarize(await importProducts(platform, given, context.screen), report);
  },
});

function readLine(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError('--from-line must be the number of a line');
  return Number(text);
}

function refuseBesideTemplate(options: Record<string, unknown>): void {
  const beside = Object.keys(options).find((name) => name !== 'template' && options[name]);
  if (beside !== undefined) throw new UsageError(`--template imports nothing, so --${beside} has no meaning beside it`);
}

/** With the byte order mark in a file: without it a spreadsheet shows the Arabic names in the wrong letters. */
async function writeTemplateTo(file: string | undefined): Promise<Answer> {
  const template = writeTemplate();
  if (file === undefined) return { value: { template }, text: template };
  try {
    await writeFile(file, `\uFEFF${template}`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UsageError(`${file} is there already`);
    throw error;
  }
  return { value: { written: file }, text: `Written to ${file}` };
}

function summarize({ failures, ...counts }: ImportSummary, report: string | undefined): Answer {
  const value = { ...counts, failures };
  if (counts.failed === 0) return { value, text: formatPairs(counts) };
  const more = counts.failed - failures.length;
  const where = report === undefined ? '--report FILE writes down all of them' : `all are in ${report}`;
  const text = [
    formatPairs(counts),
    '',
    formatTable(['line', 'column', 'iv_id', 'message'], failures),
    ...(more > 0 ? [`and ${more} more; ${where}`] : []),
  ].join('\n');
  return { value, text, exitCode: 1 };
}

export const IMPORT_COMMANDS = [importProductFile];
