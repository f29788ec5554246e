import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { patienceMs } from '../harness/patience.ts';
import { programFile } from '../start/program.ts';

/** What became of a block: its exit code (none: it took too long), what it said, and what the service answered it with. */
export type BlockRun = { code: number | undefined; out: string; err: string; statuses: number[] };

export type PageSession = {
  run(script: string): Promise<BlockRun>;
  /** Ends the shell and whatever it has started. */
  end(): Promise<void>;
};

/** `npm run dukkan` without npm's own second; every answer's status goes to the error output, where the test finds it. */
const prologue = `
set -eo pipefail
npm() {
  if [ "$1 $2" = "run -s" ]; then shift; shift; set -- run "$@"; fi
  if [ "$1 $2 $3" != "run dukkan --" ]; then echo "a test does not run: npm $*" >&2; return 1; fi
  shift 3
  "${process.execPath}" "${programFile()}" "$@"
}
curl() { command curl --max-time 25 -w '%{stderr}\\n#status %{http_code}\\n' "$@"; }
`;

/** One bash for all blocks of a page, so that what one sets is there for the next. The first command that fails ends it. */
export async function openSession(folder: string, env: Record<string, string>): Promise<PageSession> {
  const notes = await mkdtemp(path.join(folder, 'blocks-'));
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const ended = once(shell, 'close');
  const outcomes = linesOf(shell.stdio[3] as Readable);
  shell.stdin?.on('error', () => undefined);
  shell.stdin?.write(prologue);
  let count = 0;
  return {
    async run(script) {
      count += 1;
      const file = path.join(notes, `${count}`);
      await writeFile(`${file}.sh`, `${script}\n`);
      shell.stdin?.write(`. "${file}.sh" >"${file}.out" 2>"${file}.err" </dev/null 3>&-; echo "$?" >&3\n`);
      const code = await Promise.race([outcomes.next().then(({ value }) => value ?? 'ended'), tooLong()]);
      const read = (extension: string) => readFile(`${file}.${extension}`, 'utf8').catch(() => '');
      const [out, said] = [await read('out'), await read('err')];
      return {
        code: code === 'ended' ? ((await ended)[0] ?? 1) : code === 'too long' ? undefined : Number(code),
        out,
        err: said.replaceAll(/\n?#status \d+\n/g, ''),
        statuses: [...said.matchAll(/#status (\d+)/g)].map(([, status]) => Number(status)),
      };
    },
    async end() {
      endGroup(shell);
      await ended;
    },
  };
}

/** A receiver that a page has started in the background ends with it. */
function endGroup(shell: ChildProcess): void {
  try {
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

function tooLong(): Promise<'too long'> {
  return new Promise((resolve) => setTimeout(() => resolve('too long'), patienceMs()).unref());
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
