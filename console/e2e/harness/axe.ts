import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Axe = {
  run(
    where: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
};

/** The accessibility violations that axe finds on the page, by `rules` or, without them, by all rules of WCAG 2.2 AA. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page);
  return page.evaluate(
    async (runOnly) => {
      // It takes Arabic words for icons made of ligatures, by their width, and leaves their contrast out.
      CanvasRenderingContext2D.prototype.measureText = () => ({ width: 1 }) as TextMetrics;
      // Rows are alike, and ten show every kind of cell: a list of 50 takes 2.2 CPU seconds, ten rows of it 0.9.
      const fewRows = new CSSStyleSheet();
      const first = Array.from({ length: 10 }, (_, index) => `[data-index="${index}"]`);
      fewRows.replaceSync(`[data-index]:not(${first.join()}) { display: none !important; }`);
      document.adoptedStyleSheets = [fewRows];
      const { axe } = window as unknown as { axe: Axe };
      const { violations } = await axe.run(document, {
        runOnly,
        resultTypes: ['violations'],
      });
      document.adoptedStyleSheets = [];
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
      );
    },
    rules === undefined ? { type: 'tag', values: TAGS } : { type: 'rule', values: [...rules] },
  );
}

/** Past the policy of the page, which allows no scripts but its own. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true }).catch(() => undefined);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
}
