import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../src');
const sheets = globSync('**/*.css', { cwd: ROOT });
const scripts = globSync('**/*.{ts,tsx}', { cwd: ROOT });

const PHYSICAL = [
  /(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b/,
  /(?:^|[\s;{])(?:left|right|float|clear)\s*:/,
  /text-align\s*:\s*(?:left|right)\b/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /(?:margin|padding|inset|border-width|border-radius)\s*:\s*\S+\s+\S+\s+\S+\s+\S+\s*;/,
];
const PHYSICAL_IN_SCRIPT =
  /\b(?:marginLeft|marginRight|paddingLeft|paddingRight|borderLeft|borderRight)\b|style=\{\{[^}]*\b(?:left|right)\s*:/;

function findings(files: readonly string[], forbidden: readonly RegExp[]): string[] {
  return files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
      .split('\n')
      .flatMap((line, index) =>
        forbidden.some((rule) => rule.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );
}

it('uses logical properties only, so that pages mirror in Arabic', () => {
  expect(sheets.length).toBeGreaterThan(8);
  expect(findings(sheets, PHYSICAL)).toEqual([]);
  expect(findings(scripts, [PHYSICAL_IN_SCRIPT])).toEqual([]);
});

it('detects physical properties', () => {
  for (const line of [
    '  margin-left: 4px;',
    '  left: 0;',
    'text-align: right;',
    '  padding: 1px 2px 3px 4px;',
    '  float: left;',
  ]) {
    expect(
      PHYSICAL.some((rule) => rule.test(line)),
      line,
    ).toBe(true);
  }
  for (const line of [
    '  margin-inline-start: 4px;',
    '  inset-inline-end: 0;',
    '  padding: 1px 2px 3px;',
    '  text-align: end;',
  ]) {
    expect(
      PHYSICAL.some((rule) => rule.test(line)),
      line,
    ).toBe(false);
  }
});

it('defines colours only in tokens.css', () => {
  const others = sheets.filter((file) => !['ui/tokens.css', 'ui/base.css', 'ui/overlays.css'].includes(file));
  expect(findings(others, [/#[0-9a-f]{3,8}\b/i, /\brgba?\(/])).toEqual([]);
});
