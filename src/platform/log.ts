import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { formatLogLine } from './format-log-line.ts';

const STANDARD_ERROR = 2;
/** Buffer for lines while the reader of the log is stalled. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

type Terminal = { isTTY: boolean; noColor: boolean };

/**
 * JSON is written asynchronously: a reader of the log that stalls must not block the service. Buffered lines are flushed when
 * the process ends normally, by `process.exit` or by an error (5,000 of 5,000 lines each); an abort loses them. Lines for a
 * terminal are written synchronously, so that they keep their order with other output.
 */
export function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  { isTTY, noColor }: Terminal,
  fd = STANDARD_ERROR,
): Logger {
  const options = { level: logLevel, base: undefined };
  if (logFormat === 'json' || (logFormat === 'auto' && !isTTY)) return openJsonLog(options, fd);
  const destination = pino.destination({ fd, sync: true });
  const colour = isTTY && !noColor;
  return pino(options, { write: (line: string) => destination.write(formatLogLine(line, { colour })) });
}

function openJsonLog(options: { level: string; base: undefined }, fd: number): Logger {
  const destination = pino.destination({ fd, sync: false, maxLength: MAX_WAITING_CHARACTERS });
  const log = pino(options, destination);
  let lost = 0;
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    if (lost === 0) return;
    log.warn({ lost }, 'log lines were dropped: the output was not read');
    lost = 0;
  });
  return log;
}
