import type { CDPSession, Page } from 'playwright-core';

const NARROWEST_PX = 320;
const WIDEST_PX = 1920;
const STEP_PX = 80;
const WIDTHS = Array.from(
  { length: (WIDEST_PX - NARROWEST_PX) / STEP_PX + 1 },
  (_, index) => NARROWEST_PX + index * STEP_PX,
);
const HEIGHT_PX = 900;
/** Of a width with findings; a frame and its check take 20 to 50 ms. */
const MAX_FRAMES = 20;

/**
 * Resizes the open page from 320 to 1920 px in steps of 80 and returns what is wider than the window, cut off or out of reach. Each
 * finding is reported once, with the widths it was seen at. Nothing is painted meanwhile and three rows of a table stand for
 * all: with both, a step takes a tenth of the CPU time.
 */
export async function sweepWidths(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(hideForSweep, true);
  await session.send('Runtime.evaluate', { expression: `globalThis.findOverflow = ${findOverflow.toString()}` });
  const seen = new Map<string, number[]>();
  for (const width of WIDTHS) {
    await resize(session, width, HEIGHT_PX);
    for (const what of await findLasting(session)) {
      const known = seen.get(what);
      if (known === undefined) seen.set(what, [width]);
      else known.push(width);
    }
  }
  await page.evaluate(hideForSweep, false);
  const size = page.viewportSize();
  if (size !== null) await resize(session, size.width, size.height);
  await session.detach();
  return [...seen].map(([what, widths]) => `${what} at ${widths.join(', ')} px`);
}

/** Playwright's own call also resizes the window of the browser. */
async function resize(session: CDPSession, width: number, height: number): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
}

/** A page is judged at rest: what a later frame corrects, as when suggestions of a field arrive, is no finding. */
async function findLasting(session: CDPSession): Promise<string[]> {
  let found = await findAtWidth(session);
  for (let frame = 1; found.length > 0 && frame < MAX_FRAMES; frame += 1) found = await findAtWidth(session);
  return found;
}

/** Compiled once per sweep: sent with every call, it was compiled anew for each width. */
async function findAtWidth(session: CDPSession): Promise<string[]> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: 'findOverflow()',
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Runs in the page. By a constructed style sheet, which the policy of the page allows. */
function hideForSweep(isHidden: boolean): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { visibility: hidden !important; }
    [data-index]:not([data-index="0"], [data-index="1"], [data-index="2"]) { display: none !important; }
  `);
  document.adoptedStyleSheets = isHidden ? [sheet] : [];
}

/** Runs in the page. */
async function findOverflow(): Promise<string[]> {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="radio"], [role="tab"]';
  /** Less is for screen readers only. */
  const LEAST_PX = 3;
  // Tables and charts fit themselves in a ResizeObserver, at the end of the frame. Observers are called in the order in which they were made,
  // and React renders in a message that is posted then, its effects in the next. A second frame would cost a tenth more.
  await new Promise<void>((done) => {
    const { port1, port2 } = new MessageChannel();
    let messagesLeft = 3;
    port1.onmessage = () => {
      messagesLeft -= 1;
      if (messagesLeft > 0) return port2.postMessage(null);
      port1.close();
      done();
    };
    requestAnimationFrame(() => {
      const last = new ResizeObserver(() => {
        last.disconnect();
        port2.postMessage(null);
      });
      last.observe(document.documentElement);
    });
  });
  const found = new Set<string>();
  const nameOf = (element: Element) =>
    `<${element.localName} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40)}`;
  const isSmall = ({ width, height }: DOMRect) => width < LEAST_PX || height < LEAST_PX;
  const known = { overflowX: new Map<Element, boolean>(), overflowY: new Map<Element, boolean>() };
  const scrolls = (element: Element | null, axis: 'overflowX' | 'overflowY'): boolean => {
    if (element === null) return false;
    const answer =
      known[axis].get(element) ??
      (['auto', 'scroll'].includes(getComputedStyle(element)[axis]) || scrolls(element.parentElement, axis));
    known[axis].set(element, answer);
    return answer;
  };

  for (const box of document.body.querySelectorAll('*')) {
    // Text in an input can be scrolled by its caret.
    if (box.scrollWidth <= box.clientWidth + 1 || box.clientWidth < LEAST_PX || box.matches('input, textarea'))
      continue;
    const { overflowX, textOverflow, clipPath, direction } = getComputedStyle(box);
    if ((overflowX !== 'hidden' && overflowX !== 'clip') || clipPath !== 'none') continue;
    // A map shows a part of its drawing and is moved.
    if (box.clientHeight < LEAST_PX || box.matches('.map')) continue;
    // The ellipsis is at the end of the box: text that runs the other way loses its beginning.
    const runsAgainst = [...box.querySelectorAll(':scope > :is(bdi, .ltr)')].some((text) => {
      const { display, direction: ownDirection } = getComputedStyle(text);
      return display === 'inline' && ownDirection !== direction && text.textContent?.trim() === box.textContent?.trim();
    });
    if (runsAgainst) found.add(`cut off at its beginning: ${nameOf(box)}`);
    // Text that ends in an ellipsis is readable on the page that its row opens; amounts, statuses and controls are not to be cut.
    const isFirm =
      box.closest('[data-end], .ui-badge') !== null || box.querySelector(`.ui-badge, ${CONTROLS}`) !== null;
    if (textOverflow !== 'ellipsis' || isFirm) found.add(`cut off: ${nameOf(box)}`);
  }
  const isTooWide = document.documentElement.scrollWidth > window.innerWidth;
  if (isTooWide) found.add('the page is wider than the window');
  for (const control of document.body.querySelectorAll(isTooWide ? '*' : CONTROLS)) {
    const bounds = control.getBoundingClientRect();
    const isOutside = bounds.left < -1 || bounds.right > window.innerWidth + 1;
    // The native select that the component library keeps beside its own, for the browser's form filling.
    if (control.closest('[aria-hidden="true"]') !== null) continue;
    if (isOutside && !isSmall(bounds) && !scrolls(control.parentElement, 'overflowX')) {
      found.add(`outside of the window: ${nameOf(control)}`);
    }
  }
  // A dialog and the top bar do not scroll with the page: their controls have to be inside of the window.
  for (const control of document.querySelectorAll(`:is([role="dialog"], .frame-top) :is(${CONTROLS})`)) {
    const bounds = control.getBoundingClientRect();
    const isOutside = bounds.top < 0 || bounds.bottom > window.innerHeight;
    if (isOutside && !isSmall(bounds) && !scrolls(control, 'overflowY')) found.add(`out of reach: ${nameOf(control)}`);
  }
  return [...found];
}
