import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflict } from '../platform/http/problem.ts';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { explainError } from './explain-error.ts';
import { asksForJson, helpLine, readCommandLine } from './read-command-line.ts';
import { runLine } from './testing/run-line.ts';

const read = (line: string) => readCommandLine(line === '' ? [] : line.split(' '), COMMANDS, '1.2.3');
const text = (line: string) => {
  const found = read(line);
  if (found.kind !== 'text') throw new Error(`${line} is no question for help`);
  return found;
};

describe('help', () => {
  it.each(['help', '--help', '-h'])('%s: every command with what it does', (line) => {
    const { text: overview, exitCode } = text(line);
    expect(exitCode).toBe(0);
    for (const { name, summary } of COMMANDS)
      expect(overview).toMatch(new RegExp(`^  ${name}\\b.*  ${summary.slice(0, 20)}`, 'm'));
  });

  it('comes with 2 where there is no command at all', () => {
    expect(text('')).toEqual({ ...text('help'), exitCode: 2 });
  });

  it.each(COMMANDS.map(({ name }) => name))('%s --help: its options, their values and an example', async (name) => {
    const command = COMMANDS.find((one) => one.name === name);
    const { code, out } = await runLine(undefined, ...name.split(' '), '--help');
    expect(code).toBe(0);
    expect(out).toContain(`dukkan ${name}: ${command?.summary}`);
    expect(out).toContain(`Example\n  dukkan ${command?.example}\n`);
    for (const [option, { value, meaning }] of Object.entries(command?.options ?? {})) {
      expect(out).toMatch(new RegExp(`^  --${option}${value === undefined ? '' : ` ${value}`}  +\\S`, 'm'));
      expect(out).toContain(meaning);
    }
    expect(out.includes('--json')).toBe(command?.answers);
    expect(text(`help ${name}`).text).toBe(out);
    expect(text(`${name} -h`).text).toBe(out);
  });

  it.each(COMMANDS)('the example of $name can be typed', ({ name, example }) => {
    const words = [...(example.split(' > ')[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      (found) => found[1] ?? found[2] ?? '',
    );
    expect(readCommandLine(words, COMMANDS, '1.2.3')).toMatchObject({ kind: 'command', command: { name } });
  });

  it.each(['org --help', 'help org'])('%s: the commands of the family', (line) => {
    expect(text(line).text).toMatch(/^dukkan org create +make an organization\n[\s\S]*\ndukkan org resume ID /);
  });

  it('prints its version', () => {
    expect(text('--version')).toEqual({ kind: 'text', text: '1.2.3\n', exitCode: 0 });
  });
});

describe('a line that cannot be carried out', () => {
  it.each([
    ['bake bread', 'Unknown command: bake bread; dukkan help lists them all'],
    ['ogr list', 'Unknown command: ogr list; did you mean org list?'],
    ['organisation list', 'Unknown command: organisation list'],
    ['sereve', 'Unknown command: sereve; did you mean serve?'],
    ['org crate --name-en x', 'Unknown command: org crate; did you mean org create?'],
    ['help org crate', 'Unknown command: org crate; did you mean org create?'],
    ['org', 'org is followed by what to do: org create, org list'],
    ['org xyzzyplugh', 'there are org create, org list'],
    ['--force migrate', '--force stands where the command goes'],
    ['org create --nmae-en x', 'Unknown option for org create: --nmae-en; did you mean --name-en?'],
    ['org list -x', 'Unknown option for org list: -x; there are --limit, --after, --json, --help'],
    ['org create -n x', 'Unknown option for org create: -n'],
    ['org create --__proto__ x', 'Unknown option for org create: --__proto__'],
    [
      'org create --email a@b.co',
      '--email belongs to user create, user invite, user reset-password, user reset-totp, user role, user remove, token create, partner payee, not to org create',
    ],
    ['migrate --write', '--write belongs to openapi, not to migrate'],
    ['serve --json', 'Unknown option for serve: --json'],
    ['org create --no-json', 'Unknown option for org create: --no-json; did you mean --json?'],
    ['org create --name-en', '--name-en needs a value: --name-en NAME'],
    ['org create --name-en=', '--name-en needs a value'],
    ['org create --name-en --json', '--name-en needs a value: --name-en NAME (--name-en=--json'],
    ['org create --name-en a --name-en b', '--name-en is given twice'],
    ['org list --json --json', '--json is given twice'],
    ['org list --json=yes', '--json takes no value'],
    ['org list more', 'org list takes options only: nothing can be done with "more"'],
    ['org show 1 2', 'org show takes one ID: nothing can be done with "2"'],
    ['org show', 'ID is required'],
    ['migrate now', 'migrate takes options only: nothing can be done with "now"'],
    ['org list -- --json', 'nothing can be done with "--json"'],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  it('says where to read on', () => {
    expect(helpLine(['--json', 'org', 'create', '--x'], COMMANDS)).toBe('See dukkan org create --help');
    expect(helpLine(['org', 'bake'], COMMANDS)).toBe('See dukkan org --help');
    expect(helpLine(['bake'], COMMANDS)).toBe('See dukkan help');
  });

  it('is never anything but a refusal, whatever is typed', () => {
    const words = [
      'org',
      'create',
      'list',
      '--name-en',
      '--json',
      '--grant',
      '--',
      '-',
      '-h',
      '--help',
      'help',
      '=',
      'user',
    ];
    const word = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        try {
          readCommandLine(args, COMMANDS, '1');
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe('a line that can', () => {
  it('has every option by its kind, with --json anywhere', () => {
    const line = ['user', 'create', '--grant', 'read:Orders', '--email=a@b.co', '--grant=x', '--json'];
    const options = {
      ...{ email: 'a@b.co', password: undefined, org: undefined, role: undefined, branch: undefined },
      ...{ grant: ['read:Orders', 'x'], withhold: [], commercial: false },
    };
    expect(readCommandLine(line, COMMANDS, '1')).toMatchObject({ options, json: true });
    expect(readCommandLine(['--json', ...line.slice(0, -1)], COMMANDS, '1')).toMatchObject({ options, json: true });
  });

  it('takes a value that begins with a dash behind an equals sign, and anything after two dashes', () => {
    expect(read('org create --name-en=-x-')).toMatchObject({ options: { 'name-en': '-x-' }, json: false });
    expect(read('org show -- -h')).toMatchObject({ argument: '-h' });
    expect(asksForJson(['org', 'show', '--', '--json'])).toBe(false);
  });
});

describe('what went wrong, in a line', () => {
  const explain = (error: unknown) => explainError(error, { withStack: false });

  it('has both parts of what a rule refuses', () => {
    expect(explain(conflict('Last owner', { role: 'cannot be changed', owners: 1 }))).toBe(
      'Last owner: role cannot be changed; owners 1',
    );
    expect(explain(conflict('Taken', {}))).toBe('Taken');
    expect(explain(conflict('Taken', 'by another'))).toBe('Taken: by another');
  });

  it('has the stack for those who ask for it only', () => {
    const error = new Error('broken');
    expect(explain(error)).toBe('broken');
    expect(explainError(error, { withStack: true })).toContain('read-command-line.test.ts');
  });
});
