export type ImportProgress = { line: number; succeeded: number; failed: number; fraction: number };

export type ProgressDisplay = { show(progress: ImportProgress): void; end(): void };

/** Where it goes: standard error in life, so that standard output holds the result alone. */
export type Screen = { write(text: string): unknown; isTTY?: boolean; columns?: number };

const BAR_CELLS = 24;
const LINES_BETWEEN_REPORTS = 10_000;

/** A bar that redraws itself on a terminal; elsewhere a plain line now and then. */
export function showProgress(screen: Screen): ProgressDisplay {
  return screen.isTTY ? drawBar(screen) : printLines(screen);
}

function drawBar(screen: Screen): ProgressDisplay {
  return {
    show(progress) {
      const done = Math.round(progress.fraction * BAR_CELLS);
      const bar = '█'.repeat(done) + '░'.repeat(BAR_CELLS - done);
      const text = `${bar} ${percent(progress)}  ${words(progress)}`;
      // A line that wraps could not be drawn over.
      screen.write(`\r\u001b[2K${text.slice(0, (screen.columns ?? 80) - 1)}`);
    },
    end: () => screen.write('\n'),
  };
}

function printLines(screen: Screen): ProgressDisplay {
  let next = LINES_BETWEEN_REPORTS;
  return {
    show(progress) {
      if (progress.line < next) return;
      next = progress.line + LINES_BETWEEN_REPORTS;
      screen.write(`${percent(progress)}  ${words(progress)}\n`);
    },
    end: () => undefined,
  };
}

function percent({ fraction }: ImportProgress): string {
  return `${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

function words({ line, succeeded, failed }: ImportProgress): string {
  return `line ${line}: ${succeeded} saved, ${failed} failed`;
}
