import type { LoadProgress } from './index.ts';

type Output = { isTTY?: boolean; write(text: string): unknown };

const BAR_CELLS = 30;
const REDRAW_MS = 100;
/** Without a terminal: a line this often. */
const LINE_MS = 5_000;

/** Shows how far the load has come, with rate and remaining time: a bar on a terminal, plain lines elsewhere. */
export function showLoadProgress(output: Output, nowMs: () => number = () => performance.now()) {
  const isTerminal = output.isTTY === true;
  let startedMs: number | undefined;
  let shownMs = 0;
  let isShown = false;
  return {
    show({ orders, ofOrders }: LoadProgress): void {
      const atMs = nowMs();
      startedMs ??= atMs;
      const isDone = orders >= ofOrders;
      if (!isDone && atMs - Math.max(shownMs, startedMs) < (isTerminal ? REDRAW_MS : LINE_MS)) return;
      shownMs = atMs;
      isShown = true;
      const text = progressText({ orders, ofOrders }, atMs - startedMs);
      output.write(isTerminal ? `\r${barOf(orders / ofOrders)} ${text}\u001b[K` : `${text}\n`);
    },
    /** The next output begins on its own line. */
    end(): void {
      if (isShown && isTerminal) output.write('\n');
    },
  };
}

function progressText({ orders, ofOrders }: LoadProgress, passedMs: number): string {
  const perSecond = passedMs === 0 ? 0 : (orders * 1000) / passedMs;
  const leftSeconds = perSecond === 0 ? 0 : Math.ceil((ofOrders - orders) / perSecond);
  const count = (number: number) => Math.round(number).toLocaleString('en');
  return `Loading the demo: ${count(orders)} of ${count(ofOrders)} orders, ${count(perSecond)} a second, ${leftSeconds} s left`;
}

function barOf(share: number): string {
  const done = Math.round(share * BAR_CELLS);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR_CELLS - done)}]`;
}
