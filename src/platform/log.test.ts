import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatLogLine } from './format-log-line.ts';
import { openLog } from './log.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'dukkan-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plain = (entry: object) => formatLogLine(`${JSON.stringify(entry)}\n`, { colour: false });
const at = new Date(2026, 10, 15, 14, 3, 9, 120).getTime();

describe('a line for the eye', () => {
  it('has the time, the level, the message and what goes with it', () => {
    const line = plain({
      level: 40,
      time: at,
      msg: 'follower stopped',
      follower: 'sales',
      left: 3,
      why: 'a b',
      ids: [1],
    });
    expect(line).toBe('14:03:09.120 WARN  follower stopped  follower=sales  left=3  why="a b"  ids=[1]\n');
  });

  it('has the stack of an error below it, and what else the error carries', () => {
    const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at work (file.ts:1)', code: '23505' };
    expect(plain({ level: 50, time: at, msg: 'failed', err })).toBe(
      '14:03:09.120 ERROR failed\n    Error: no\n        at work (file.ts:1)\n    {"code":"23505"}\n',
    );
    expect(plain({ level: 50, time: at, err: { message: 'no' } })).toBe('14:03:09.120 ERROR\n    Error: no\n');
  });

  it('escapes control characters of untrusted input', () => {
    const evil = '\u001b]0;owned\u0007\r\n\u009b2J\u202e';
    const line = plain({ level: 30, time: at, msg: evil, path: `/${evil}`, [evil]: 1, err: { stack: `${evil}\nx` } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
    expect(line.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(line).toContain('\\u001b]0;owned\\u0007\\u000d');
  });

  it.each(['not JSON', '[1]', 'null', '{"level":30'])('shows %s as it is', (line) => {
    expect(formatLogLine(`${line}\n`, { colour: false })).toBe(`${line}\n`);
  });

  it('is coloured on request only', () => {
    const line = JSON.stringify({ level: 40, time: at, msg: 'careful', left: 3 });
    expect(formatLogLine(line, { colour: true })).toContain('\u001b[33mWARN \u001b[0m careful');
    expect(formatLogLine(line, { colour: false })).not.toContain('\u001b');
  });
});

describe('the form of the log', () => {
  const terminal = { isTTY: true, noColor: false };
  const elsewhere = { isTTY: false, noColor: false };

  it.each([
    ['auto', terminal, 'coloured'],
    ['auto', { isTTY: true, noColor: true }, 'plain'],
    ['auto', elsewhere, 'json'],
    ['pretty', elsewhere, 'plain'],
    ['pretty', terminal, 'coloured'],
    ['json', terminal, 'json'],
  ] as const)('%s with %j is %s', async (logFormat, given, expected) => {
    const file = path.join(folder, `${logFormat}-${JSON.stringify(given).length}-${expected}`);
    const fd = openSync(file, 'w');
    openLog({ logLevel: 'info', logFormat }, given, fd).info({ port: 1 }, 'ready');
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('ready');
    closeSync(fd);
    const text = readFileSync(file, 'utf8');
    expect(text.startsWith('{') ? 'json' : text.includes('\u001b') ? 'coloured' : 'plain').toBe(expected);
  });

  /** A process with a log, whose standard error is not read yet. */
  function logging(logFormat: string, program: string) {
    const opening = `
      const { openLog } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)});
      const log = openLog({ logLevel: 'info', logFormat: '${logFormat}' }, { isTTY: false, noColor: true });`;
    const args = ['--input-type=module', '-e', `${opening}\n${program}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    return {
      child,
      async readAll() {
        let text = '';
        child.stderr.setEncoding('utf8').on('data', (more) => {
          text += more;
        });
        child.stdout.resume();
        await ended;
        return text;
      },
    };
  }

  it.each([
    ['json', 'process.exit(3)'],
    ['json', 'throw new Error("end")'],
    ['pretty', 'process.exit(3)'],
    ['pretty', 'throw new Error("end")'],
  ])('%s: nothing is lost by %s in the middle', async (logFormat, end) => {
    const lines = `for (let line = 1; line <= 3000; line += 1) log.info({ line }, 'x'.repeat(100));`;
    const text = await logging(logFormat, `${lines}\n${end};`).readAll();
    expect(text.match(/x{100}/g)).toHaveLength(3000);
  });

  it('an unread log uses bounded memory and counts dropped lines', async () => {
    const { child, readAll } = logging(
      'json',
      `for (let line = 1; line <= 24000; line += 1) log.info('x'.repeat(1000));
       console.log('done');`,
    );
    await once(child.stdout, 'data');
    const text = await readAll();
    const kept = text.match(/x{1000}/g)?.length ?? 0;
    const lost = Number(/"lost":(\d+),"msg":"log lines were dropped: the output was not read"/.exec(text)?.[1]);
    expect(lost).toBeGreaterThan(0);
    expect(kept + lost).toBe(24_000);
  });
});
