import path from 'node:path';
import { defineConfig } from 'vite';
import { fontsAfterScripts } from './build/fonts-after-scripts.ts';
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

/**
 * Parts of every list page: as files of their own they were 20 requests of under 2 kB. Not their style sheets: the first one has them, and
 * would load the chunk that they belong to.
 */
const ON_LISTS =
  /src\/ui\/(list\/[\w-]+|debounced-search|search-field|pager|table|fit-columns|export-button)[.]tsx?$|src\/platform\/save-file/;

/** What every page loads after its first paint. */
const AFTER_THE_PAGE = /src\/app\/(watches|outdated-)|src\/features\/(orders\/alerts\/watch-|apps\/watch-staging)/;

const REACT_ARIA = 'node_modules/(react-aria|react-stately|react-aria-components)/dist/private/';

/** Fields, with all that react-aria has for them: a page has forms or none. */
const FIELDS = /src\/ui\/field[.]tsx/;

/** Dialogs, and what keeps their forms. */
const DIALOGS = new RegExp(
  [
    `${REACT_ARIA}(Dialog|Modal|Heading|dialog/|overlays/(?!usePopover|useOverlayPosition|calculatePosition))`,
    'src/ui/(dialog|modal-frame|hold-size|discard-dialog|leave-guard|leave-words|conflict/[\\w-]+)[.]tsx?$',
    `${REACT_ARIA}(interactions/PressResponder|utils/useViewportSize)`,
    'src/platform/save-fields|react-router/.*/useBlocker',
  ].join('|'),
);

/** Of tabs and of lists of options. */
const SELECTION = new RegExp(
  [
    `${REACT_ARIA}(selection/|list/|collections/|Collection|DragAndDrop|i18n/useCollator|utils/(scrollIntoView|getScrollParents))`,
    `${REACT_ARIA}(focus/FocusScope|interactions/useLongPress)`,
    `${REACT_ARIA}utils/(inertValue|useResizeObserver|useUpdateLayoutEffect|useDescription|isScrollable|animation)`,
  ].join('|'),
);

/** Selects and pickers. */
const OPTIONS = new RegExp(
  [
    `${REACT_ARIA}(listbox/|ListBox|Popover|Overlay|overlays/|Select[.]|select/|Separator|Header|menu/useMenuTrigger|i18n/useListFormatter)`,
    `${REACT_ARIA}(utils/useLoadMore|interactions/useContextMenu|utils/number)`,
    'src/ui/select[.]tsx',
  ].join('|'),
);

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
            { name: 'later', test: AFTER_THE_PAGE, includeDependenciesRecursively: false },
            { name: 'fields', test: FIELDS, priority: 0.9 },
            { name: 'dialogs', test: DIALOGS, priority: 0.8, includeDependenciesRecursively: false },
            { name: 'selection', test: SELECTION, priority: 0.7, includeDependenciesRecursively: false },
            { name: 'options', test: OPTIONS, priority: 0.6, includeDependenciesRecursively: false },
            { name: 'charts', test: /node_modules\/(d3-|internmap)|src\/charts\//, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [keepTwoLanguages(), fontsAfterScripts(), runChunksApart(), preloadPages(), packFiles()],
  server: { proxy: { '/api': SERVICE, '/demo': SERVICE } },
});
