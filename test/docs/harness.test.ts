import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputFaults, readDocuments, shownRefusals } from './compare-output.ts';
import { openSession } from './page-session.ts';
import { hidesCommands, readBlocks } from './read-blocks.ts';
import { sampleFault } from './verify-samples.ts';

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

describe('blocks', () => {
  it('are found with their line, language and how they are run', () => {
    const page = `# Page\n\n${fenced('sh', 'one\ntwo')}\n\n<!-- run: no, there is no printer here -->\n${fenced('', 'x')}\n`;
    expect(readBlocks('page.md', page)).toEqual([
      { file: 'page.md', line: 4, language: 'sh', text: 'one\ntwo', order: { kind: 'run' } },
      { file: 'page.md', line: 10, language: '', text: 'x', order: { kind: 'no', reason: 'there is no printer here' } },
    ]);
  });

  it.each([
    ['an unknown order', '<!-- run: maybe -->\n```sh\n```', 'page.md:1: "run: maybe"'],
    ['a refusal to run without a reason', '<!-- run: no, -->\n```sh\n```', 'page.md:1: "run: no,"'],
    ['an order that stands before no block', '<!-- run: later -->\ntext', 'page.md:2'],
    ['a block without an end', 'text\n```sh\nls', 'page.md:2'],
  ])('%s is refused by its line', (_what, page, message) => {
    expect(() => readBlocks('page.md', page)).toThrow(message);
  });

  it('that are commands and do not say so are noticed', () => {
    const hides = (page: string) => readBlocks('page.md', page).map(hidesCommands);
    expect(hides(`${fenced('', '$ ls')}\n${fenced('text', 'curl -s x')}\n${fenced('', 'a ──▶ b')}`)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('an output', () => {
  it.each([
    ['the same shape', '{"id":"a1","n":1}', '{"id":"b2","n":2}', 0],
    ['several documents, glued together', '{"a":1}\n{"b":[]}', '{"a":2}{"b":[]}\n', 0],
    ['more fields, where the shown one says so', '{"a":1,"...":"..."}', '{"a":1,"b":2}', 0],
    ['a text with a gap', '{"a":"whsec_..."}', '{"a":"whsec_Zm9v"}', 0],
    ['a field too many', '{"a":1}', '{"a":1,"b":2}', 1],
    ['a field too few', '{"a":1,"b":2}', '{"a":1}', 1],
    ['another kind', '{"a":1}', '{"a":"1"}', 1],
    ['another word', '{"a":"pending"}', '{"a":"dead"}', 1],
    ['another truth', '{"a":true}', '{"a":false}', 1],
    ['an empty list', '{"a":[1]}', '{"a":[]}', 1],
    ['a document too few', '{"a":1}\n{"a":1}', '{"a":1}', 1],
    ['no JSON at all', '{"a":1}', 'oops', 1],
    ['lines that differ in numbers', 'RUH 0.668\nid evt_1_2', 'RUH 0.7\nid evt_33_4', 0],
    ['lines that differ in words', 'RUH 0.668', 'JED 0.668', 1],
    ['a line too many', 'one', 'one\ntwo', 1],
    ['a line too few', 'one\ntwo', 'one', 1],
  ])('%s', (_what, shown, actual, faults) => {
    expect(outputFaults(shown, actual)).toHaveLength(faults);
  });

  it('reports which refusals it shows', () => {
    expect(shownRefusals('{"code":409,"error":"x"}\n403\nRUH 500')).toEqual([409, 403]);
    expect(readDocuments('{"a":"}{"}{"b":1}')).toEqual([{ a: '}{' }, { b: 1 }]);
  });
});

describe('a sample', () => {
  const delivery = { body: '{"id":"evt_1_1"}', headers: {}, secret: 'whsec_AAAA', id: 'evt_1_1' };

  it('that takes whatever comes is found out, and one that takes nothing too', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-docs-'));
    const fault = (sample: string) => sampleFault('js', sample, delivery, folder);
    expect(await fault('export const verify = (body) => JSON.parse(body)')).toContain('said');
    expect(await fault('export const verify = () => { throw new Error("never") }')).toContain('never');
    expect(await sampleFault('cobol', '', delivery, folder)).toContain('cobol');
    await rm(folder, { recursive: true });
  });
});

describe('a session', () => {
  it('keeps what a block sets, reports how each ended, and ends with the first that fails', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-docs-'));
    const session = await openSession(folder, { PATH: String(process.env.PATH) });
    expect(await session.run('NAME=dukkan\necho one')).toMatchObject({ code: 0, out: 'one\n' });
    expect(await session.run('echo $NAME >&2')).toMatchObject({ code: 0, err: 'dukkan\n' });
    expect(await session.run('echo before\nfalse\necho after')).toMatchObject({ code: 1, out: 'before\n' });
    await session.end();
    await rm(folder, { recursive: true });
  });
});
