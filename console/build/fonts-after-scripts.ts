import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const FONT = /<link rel="preload" href="([^"]+)" as="font"[^>]*>\s*/g;

/**
 * Moves the preloads of fonts from index.html into first-paint.js, which begins them when the scripts have come. The first text is that of the scripts:
 * on a slow connection, fonts beside them delayed it by the 0.3 s that 55 kB take.
 */
export function fontsAfterScripts(): Plugin {
  let fonts: string[] = [];
  return {
    name: 'fonts-after-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        fonts = Array.from(html.matchAll(FONT), ([, font]) => font ?? '');
        if (fonts.length === 0) throw new Error('index.html names no font');
        return html.replace(FONT, '');
      },
    },
    async writeBundle({ dir = '' }, bundle) {
      const assets = Object.values(bundle).filter((one) => one.type === 'asset');
      const built = fonts.map((font) => {
        const asset = assets.find(({ originalFileNames }) => originalFileNames.some((name) => font.endsWith(name)));
        if (asset === undefined) throw new Error(`${font} is not in the build`);
        return `/${asset.fileName}`;
      });
      const script = path.join(dir, 'first-paint.js');
      const text = await readFile(script, 'utf8');
      await writeFile(script, text.replace('const fonts = []', `const fonts = ${JSON.stringify(built)}`));
    },
  };
}
