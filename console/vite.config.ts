import path from 'node:path';
import { defineConfig } from 'vite';
import { keepTwoLanguages } from './build/keep-two-languages.ts';
import { packFiles } from './build/pack-files.ts';
import { preloadPages } from './build/preload-pages.ts';
import { runChunksApart } from './build/run-chunks-apart.ts';

/** Where the pages of `npm run dev` find the service. */
const SERVICE = process.env.DUKKAN_URL ?? 'http://127.0.0.1:8080';

/** What every page needs, in one piece: cut up by who shares what, home weighed 6 kB more. */
const ON_EVERY_PAGE = new RegExp(
  [
    // Without what only pages with forms, files and tables need, and without the texts of refusals.
    'node_modules/@tanstack/(?!.*(virtual|useBlocker|useMutation|mutationObserver|useQueries|queriesObserver))',
    'src/(i18n|platform)/(?!drafts|read-number|save-fields|save-file|tab-id|refusals/)',
    'src/ui/(button|icon|loaded|parts|error-state|segments|shortcuts)[.]ts',
  ].join('|'),
);

/** Parts of every list page: as files of their own they were 20 requests of under 2 kB. */
const ON_LISTS = /src\/ui\/(list\/|debounced-search|pager)/;

export default defineConfig({
  root: import.meta.dirname,
  // The SDK as source: one build, one copy of its code, and no step before this one.
  resolve: { conditions: ['dukkan-source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: process.env.CONSOLE_OUT_DIR || path.join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json',
    rolldownOptions: {
      // "use client" means something to servers only.
      onLog(level, log, show) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            { name: 'base', test: ON_EVERY_PAGE, priority: 1 },
            { name: 'list', test: ON_LISTS, includeDependenciesRecursively: false },
            { name: 'charts', test: /node_modules\/(d3-|internmap)|src\/charts\//, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [keepTwoLanguages(), runChunksApart(), preloadPages(), packFiles()],
  server: { proxy: { '/api': SERVICE, '/demo': SERVICE } },
});
