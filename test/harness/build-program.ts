import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '../..');
/**
 * A fixed folder, so that Node's compile cache recognises the file in the next run. Inside the project, so that packages that are not
 * bundled are found.
 */
const FOLDER = path.join(ROOT, 'node_modules/.cache/test-program');
const ENTRY = 'main.mjs';
const OUTDATED_MS = 3_600_000;

/**
 * Bundles `src/main.ts` for the tests that start the program in a process of its own, and returns the file to run. A start from
 * source loads 1,800 modules and takes 1.5 s of a core, a start of the bundle 0.35 s; the bundle is made in 2.5 s, and a run of all
 * tests starts the program more than 100 times. `test/start/embedded.test.ts` starts it from source, as an operator does.
 */
export async function buildProgram(): Promise<string> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [keepLocations()],
    build: {
      ssr: path.join(ROOT, 'src/main.ts'),
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: ENTRY, chunkFileNames: '[name]-[hash].mjs' } },
    },
    ssr: { noExternal: true, external: ['pg-native'] },
  })) as Rolldown.RolldownOutput;
  await mkdir(FOLDER, { recursive: true });
  for (const file of built.output) {
    if (file.type === 'chunk') await replaceWhenChanged(path.join(FOLDER, file.fileName), file.code);
  }
  await removeOutdated(new Set(built.output.map(({ fileName }) => fileName)));
  return path.join(FOLDER, ENTRY);
}

/** By a rename: another run in this folder may be starting the program at the moment. */
async function replaceWhenChanged(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === content) return;
  const fresh = `${file}.${process.pid}.new`;
  await writeFile(fresh, content);
  await rename(fresh, file);
}

async function removeOutdated(current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    if (current.has(name)) continue;
    const file = path.join(FOLDER, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > OUTDATED_MS) await rm(file, { force: true });
  }
}

/** Files beside a module (migrations, assets, worker threads) are still read from where its source is. */
function keepLocations(): Plugin {
  return {
    name: 'keep-locations',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta.')) return undefined;
      const file = id.split('?')[0] ?? id;
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file));
    },
  };
}
