import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** The pages of the navigation that are opened most, with what they load at once. */
const PAGES: Record<string, readonly string[]> = {
  '/': ['home/home-page.tsx', 'home/support/index.tsx', 'home/below/index.tsx'],
  '/orders': ['orders/orders-page.tsx'],
  '/till': ['till/till-page.tsx'],
  '/products': ['catalog/products/products-page.tsx'],
  '/customers': ['customers/customers-page.tsx'],
  '/branches': ['branches/branches-page.tsx'],
  '/payments': ['payments/payments-page.tsx'],
  '/apps': ['apps/apps-page.tsx'],
};

/** Writes into first-paint.js which files a page needs beyond those that index.html names. */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const first = filesOf(chunks, ({ isEntry }) => isEntry);
      const pages = Object.entries(PAGES).map(([address, modules]) => {
        const files = modules.flatMap((module) => {
          const found = filesOf(
            chunks,
            ({ facadeModuleId }) => facadeModuleId?.endsWith(`/features/${module}`) === true,
          );
          if (found.size === 0) throw new Error(`${module} is not in the build`);
          return [...found];
        });
        return [address, [...new Set(files)].filter((file) => !first.has(file)).map((file) => `/${file}`)];
      });
      const script = path.join(dir, 'first-paint.js');
      const text = await readFile(script, 'utf8');
      await writeFile(
        script,
        text.replace('const pages = {}', `const pages = ${JSON.stringify(Object.fromEntries(pages))}`),
      );
    },
  };
}

function filesOf(
  chunks: readonly Rolldown.OutputChunk[],
  isWanted: (chunk: Rolldown.OutputChunk) => boolean,
): Set<string> {
  const files = new Set<string>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) visit(chunks.find(({ fileName }) => fileName === name));
  };
  for (const chunk of chunks.filter(isWanted)) visit(chunk);
  return files;
}
