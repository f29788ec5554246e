import type { Plugin } from 'vite';

/** react-aria carries its words in some thirty languages, 45 kB gzip of them; the console speaks two. */
export function keepTwoLanguages(): Plugin {
  const words =
    /node_modules\/(react-aria|react-stately|react-aria-components|@react-aria|@react-stately)\/.*\/intl\/(?:.*\/)?([a-z]{2}-[A-Z]{2})\.(?:m?js|json|cjs)$/;
  return {
    name: 'keep-two-languages',
    enforce: 'pre',
    apply: 'build',
    load(id) {
      const language = words.exec(id)?.[2];
      if (language === undefined || language.startsWith('en') || language.startsWith('ar')) return undefined;
      return 'export default {};';
    },
  };
}
