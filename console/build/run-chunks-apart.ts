import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
const PRELOAD = /<link rel="modulepreload" crossorigin href="([^"]+)">/g;

/**
 * Lets first-paint.js run the chunks of index.html one by one. With a script element for the last of them, all were compiled and run in one task: 38 ms
 * of CPU, and a telephone takes four times as long. Rejected: an async script element for each; the last one was ready as early, and took the others along.
 */
export function runChunksApart(): Plugin {
  let chunks: string[] = [];
  return {
    name: 'run-chunks-apart',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [element, entry] = ENTRY.exec(html) ?? [];
        if (element === undefined || entry === undefined) throw new Error('index.html names no script');
        chunks = [...Array.from(html.matchAll(PRELOAD), ([, chunk]) => chunk ?? ''), entry];
        return html.replace(element, `<link rel="modulepreload" crossorigin href="${entry}">`);
      },
    },
    async writeBundle({ dir = '' }) {
      const script = path.join(dir, 'first-paint.js');
      const text = await readFile(script, 'utf8');
      await writeFile(script, text.replace('const chunks = []', `const chunks = ${JSON.stringify(chunks)}`));
    },
  };
}
