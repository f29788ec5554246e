import { organizationExists } from '../modules/identity/index.ts';
import { isId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { type Options, required, UsageError } from './arguments.ts';
import { importProducts } from './import-products.ts';

/** `import products FILE.csv --org ID` */
export async function runImport(platform: Platform, options: Options, words: string[]): Promise<unknown> {
  const [, , file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('import products takes the name of one CSV file');
  const organizationId = required(options.org, 'org');
  if (!isId(organizationId) || !(await organizationExists(platform.sql, organizationId))) {
    throw new UsageError(`No organization ${organizationId}`);
  }
  const fromLine = readLine(options['from-line']);
  return importProducts(platform, { file, organizationId, report: options.report, fromLine }, process.stderr);
}

function readLine(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError('--from-line must be the number of a line');
  return Number(text);
}
