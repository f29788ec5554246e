import { parseArgs } from 'node:util';

/** The command line cannot be carried out as it was typed. */
export class UsageError extends Error {}

const OPTIONS = {
  'name-en': { type: 'string' },
  'name-ar': { type: 'string' },
  'time-zone': { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  org: { type: 'string' },
  role: { type: 'string' },
  branch: { type: 'string' },
  days: { type: 'string' },
  grant: { type: 'string', multiple: true },
  withhold: { type: 'string', multiple: true },
  commercial: { type: 'boolean' },
  write: { type: 'boolean' },
  force: { type: 'boolean' },
  report: { type: 'string' },
  'from-line': { type: 'string' },
} as const;

export type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

export function readArguments(args: string[]): { words: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}
