import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

type Entry = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean };

/** Bytes of script and style, gzip, that a page needs before it can be seen: what `index.html` starts, and the page itself. */
export function firstLoadBytes(dist: string, page: string): { total: number; files: [file: string, bytes: number][] } {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'manifest.json'), 'utf8')) as Record<string, Entry>;
  const files = new Set<string>(['first-paint.js']);
  const visit = (name: string): void => {
    const entry = manifest[name];
    if (entry === undefined) throw new Error(`${name} is not in the build`);
    if (files.has(entry.file)) return;
    files.add(entry.file);
    for (const style of entry.css ?? []) files.add(style);
    for (const needed of entry.imports ?? []) visit(needed);
  };
  visit('index.html');
  visit(page);
  const sizes = [...files].map((file): [string, number] => [file, statSync(path.join(dist, `${file}.gz`)).size]);
  return { total: sizes.reduce((sum, [, bytes]) => sum + bytes, 0), files: sizes.sort((a, b) => b[1] - a[1]) };
}
