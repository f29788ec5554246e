import type { Page } from 'playwright-core';

const NARROWEST_PX = 320;
const WIDEST_PX = 1920;
const STEP_PX = 80;
const HEIGHT_PX = 900;
const WIDTHS = Array.from(
  { length: (WIDEST_PX - NARROWEST_PX) / STEP_PX + 1 },
  (_, index) => NARROWEST_PX + index * STEP_PX,
);

/**
 * Resizes the open page from 320 to 1920 px in steps of 80 and returns what is wider than the window, cut off, or out of reach.
 * Each finding is reported once, with the widths it was seen at.
 */
export async function sweepWidths(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const seen = new Map<string, number[]>();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT_PX });
    for (const what of await page.evaluate(findOverflow)) {
      const known = seen.get(what);
      if (known === undefined) seen.set(what, [width]);
      else known.push(width);
    }
  }
  if (size !== null) await page.setViewportSize(size);
  return [...seen].map(([what, widths]) => `${what} at ${widths.join(', ')} px`);
}

/** Runs in the page. */
async function findOverflow(): Promise<string[]> {
  const ROWS_CHECKED = 3;
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="radio"], [role="tab"], [tabindex="0"]';
  // Two frames: tables choose their columns in a ResizeObserver, which runs at the end of the first.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const found = new Set<string>();
  const over = document.documentElement.scrollWidth - window.innerWidth;
  if (over > 0) found.add('the page is wider than the window');

  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const known = styles.get(element);
    if (known !== undefined) return known;
    const fresh = getComputedStyle(element);
    styles.set(element, fresh);
    return fresh;
  };
  const nameOf = (element: Element) =>
    `<${element.localName} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40)}`;
  const hasOwnText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
  // Text that ends in an ellipsis is readable on the page that its row opens; amounts, statuses and controls are not to be cut.
  const mayEndInEllipsis = (element: Element) => element.closest('[data-end], .ui-badge') === null;

  for (const element of document.body.querySelectorAll('*')) {
    const isControl = element.matches(CONTROLS);
    if (!isControl && !hasOwnText(element)) continue;
    const row = element.closest<HTMLElement>('[data-index]');
    if (row !== null && Number(row.dataset.index) >= ROWS_CHECKED) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { left, right, width, height } = element.getBoundingClientRect();
    // Two pixels and less: for screen readers only.
    if (width <= 2 || height <= 2) continue;
    if (right <= 0 && styleOf(element).position === 'fixed') continue;
    let box: Element | null = element;
    let isReachable = false;
    while (box !== null && box !== document.documentElement) {
      const { overflowX, textOverflow, position, clipPath } = styleOf(box);
      if (clipPath !== 'none') isReachable = true;
      if (overflowX === 'auto' || overflowX === 'scroll') isReachable = true;
      if (isReachable) break;
      if (overflowX === 'hidden' || overflowX === 'clip') {
        const bounds = box.getBoundingClientRect();
        const isSmall = bounds.width <= 2 || bounds.height <= 2;
        const inside = box === element && !isControl ? element.scrollWidth - element.clientWidth : 0;
        const cut = Math.max(bounds.left - left, right - bounds.right, inside);
        if (isSmall) isReachable = true;
        else if (cut > 1 && !isControl && textOverflow === 'ellipsis' && mayEndInEllipsis(element)) isReachable = true;
        else if (cut > 1) {
          found.add(`cut off: ${nameOf(element)}`);
          isReachable = true;
        }
        if (isReachable) break;
      }
      if (position === 'fixed') break;
      box = box.parentElement;
    }
    if (!isReachable && (left < -1 || right > window.innerWidth + 1))
      found.add(`outside of the window: ${nameOf(element)}`);
  }
  // A fixed part cannot be scrolled to: its controls must be inside the window.
  for (const layer of document.querySelectorAll('[role="dialog"], .frame-top')) {
    for (const control of layer.querySelectorAll(CONTROLS)) {
      const { top, bottom, height, width } = control.getBoundingClientRect();
      if (width <= 2 || height <= 2 || !control.checkVisibility()) continue;
      let box: Element | null = control;
      while (box !== null && !['auto', 'scroll'].includes(styleOf(box).overflowY)) box = box.parentElement;
      if (box === null && (top < 0 || bottom > window.innerHeight)) found.add(`out of reach: ${nameOf(control)}`);
    }
  }
  return [...found];
}
