import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { formatLogLine } from './format-log-line.ts';

const STANDARD_ERROR = 2;
/** Lines that wait for a reader of the log who has stopped reading. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

type Terminal = { isTTY: boolean; noColor: boolean };

/**
 * JSON is written beside the work: whoever reads the log and stops must not stop the service. What still waits is written
 * out when the process ends by itself, by `process.exit` or by an error (5,000 of 5,000 lines each); an abort loses it.
 * Lines for a terminal are written at once, as everything else there is, so that they keep their place among the rest.
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
    log.warn({ lost }, 'log lines were lost: nobody read them');
    lost = 0;
  });
  return log;
}
