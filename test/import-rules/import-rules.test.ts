import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIXTURES = path.join(import.meta.dirname, 'fixtures');
/** Marks each fixture file that violates the rule of its folder. The other files show what the rule allows. */
const MARK = '// violates the rule';

type RuleConfig = { forbidden: { name: string }[]; options: ICruiseOptions };
const config: RuleConfig = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs'));

/** Runs dependency-cruiser on a fixture project with the rules of the repository. */
async function violationsIn(folder: string): Promise<{ rule: string; from: string }[]> {
  const tops = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const { exclude: _, tsConfig: __, ...options } = config.options;
  const { output } = await cruise(
    tops.map(({ name }) => name),
    { ...options, baseDir: folder, validate: true, ruleSet: { forbidden: config.forbidden } as IFlattenedRuleSet },
  );
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

function markedIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && readFileSync(path.join(folder, file), 'utf8').includes(MARK))
    .map((file) => file.replaceAll(path.sep, '/'));
}

describe('import rules', () => {
  const rules = config.forbidden.map(({ name }) => name);

  it('have one fixture each, and every fixture belongs to a rule', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual(rules.toSorted());
  });

  it.each(rules)('%s: reports exactly the files marked as violations', async (rule) => {
    const folder = path.join(FIXTURES, rule);
    const reported = await violationsIn(folder);
    expect(reported.filter((violation) => violation.rule !== rule)).toEqual([]);
    const marked = markedIn(folder);
    expect(marked).not.toEqual([]);
    expect([...new Set(reported.map(({ from }) => from))].toSorted()).toEqual(marked.toSorted());
  });
});
