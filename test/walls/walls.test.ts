import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FIXTURES = path.join(import.meta.dirname, 'fixtures');
/** Stands in every file of a fixture that does what its wall forbids; the other files show what it allows. */
const MARK = '// breaks the wall';

type Walls = { forbidden: { name: string }[]; options: ICruiseOptions };
const walls: Walls = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs'));

/** What the tool says of a small project of its own, by the rules of the whole one. */
async function breachesIn(folder: string): Promise<{ rule: string; from: string }[]> {
  const tops = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const { exclude: _, tsConfig: __, ...options } = walls.options;
  const { output } = await cruise(
    tops.map(({ name }) => name),
    { ...options, baseDir: folder, validate: true, ruleSet: { forbidden: walls.forbidden } as IFlattenedRuleSet },
  );
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

function markedIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && readFileSync(path.join(folder, file), 'utf8').includes(MARK))
    .map((file) => file.replaceAll(path.sep, '/'));
}

describe('the walls', () => {
  const rules = walls.forbidden.map(({ name }) => name);

  it('each have a fixture that breaks them, and every fixture has its wall', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual(rules.toSorted());
  });

  it.each(rules)('%s: falls where it is broken, and nowhere else', async (rule) => {
    const folder = path.join(FIXTURES, rule);
    const breaches = await breachesIn(folder);
    expect(breaches.filter((breach) => breach.rule !== rule)).toEqual([]);
    const broken = markedIn(folder);
    expect(broken).not.toEqual([]);
    expect([...new Set(breaches.map(({ from }) => from))].toSorted()).toEqual(broken.toSorted());
  });
});
