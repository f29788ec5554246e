import type { Page } from 'playwright-core';

/** Names that Arabic writes in Latin letters too: products, protocols, file formats, keys. */
const SAME_IN_BOTH = [
  'Dukkan',
  'English',
  'API',
  'CSV',
  'XML (UBL 2.1)',
  'JSON',
  'PDF',
  'Ctrl K',
  'Esc',
  'Enter',
  'mada',
  'TypeScript',
  'Python',
  'PHP',
  'Go',
];

/**
 * Texts on an Arabic page that have Latin letters and no Arabic ones. Data in Latin letters (codes, e-mail addresses, names that a
 * merchant has entered in English only) stands in `bdi`, `code` or `.ltr`, which keeps its direction, and is not reported.
 */
export function findUntranslated(page: Page): Promise<string[]> {
  return page.evaluate((same) => {
    const DATA = 'bdi, code, pre, kbd, .ltr, .ui-code, [lang="en"], [dir="ltr"], [dir="auto"], select, script, style';
    const found = new Set<string>();
    const check = (text: string | null, where: string) => {
      const clean = (text ?? '').trim();
      // Types of events, such as `order.cancelled`, are codes.
      if (same.includes(clean) || /^[a-z]+\.[a-z_]+$/.test(clean)) return;
      if (!/[A-Za-z]{2}/.test(clean) || /[\u0600-\u06ff]/.test(clean)) return;
      found.add(`${where}: ${clean.slice(0, 80)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || parent.closest(DATA) !== null) continue;
      check(node.textContent, `<${parent.localName} class="${parent.getAttribute('class') ?? ''}">`);
    }
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
      if (element.closest(DATA) !== null) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) check(element.getAttribute(name), name);
    }
    return [...found];
  }, SAME_IN_BOTH);
}
