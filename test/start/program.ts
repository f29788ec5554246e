import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const SOURCE_PROGRAM = path.join(ROOT, 'src/main.ts');

/** The file that Node runs as `dukkan`: the bundle that a run of all tests makes (see `buildProgram`), or else the source. */
export function programFile(): string {
  return process.env.TEST_PROGRAM ?? SOURCE_PROGRAM;
}
