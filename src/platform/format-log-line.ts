import { printable } from './text/printable.ts';

type LoggedError = { type?: unknown; message?: unknown; stack?: unknown };
type Entry = { level?: unknown; time?: unknown; msg?: unknown; err?: unknown } & Record<string, unknown>;

const RESET = '\u001b[0m';
const DIM = '\u001b[2m';
const LEVELS: Record<number, { name: string; colour: string }> = {
  10: { name: 'TRACE', colour: DIM },
  20: { name: 'DEBUG', colour: '\u001b[34m' },
  30: { name: 'INFO', colour: '\u001b[32m' },
  40: { name: 'WARN', colour: '\u001b[33m' },
  50: { name: 'ERROR', colour: '\u001b[31m' },
  60: { name: 'FATAL', colour: '\u001b[1;31m' },
};

/**
 * One JSON line of the log for the eye: `14:03:09.120 WARN  message  name=value`, an error's stack below it. Our own
 * because pino-pretty brings fourteen packages along, a second sonic-boom among them, to lay out four kinds of things.
 */
export function formatLogLine(line: string, { colour }: { colour: boolean }): string {
  const entry = parse(line);
  if (entry === undefined) return `${printable(line.trimEnd())}\n`;
  const { level, time, msg, err, ...rest } = entry;
  const paint = (text: string, code: string) => (colour && text !== '' ? `${code}${text}${RESET}` : text);
  const known = LEVELS[Number(level)] ?? { name: String(level), colour: '' };
  const values = Object.entries(rest).map(([name, value]) => `${printable(name)}=${formatValue(value)}`);
  const head = [
    paint(formatTime(time), DIM),
    paint(printable(known.name).padEnd(5), known.colour),
    ...(msg === undefined ? [] : [printable(String(msg))]),
  ].join(' ');
  return `${[head, ...values.map((value) => paint(value, DIM))].join('  ')}\n${formatError(err)}`;
}

function parse(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** The reader's own time of day: who looks at a terminal looks at what happens now. */
function formatTime(time: unknown): string {
  const at = new Date(typeof time === 'number' || typeof time === 'string' ? time : Number.NaN);
  if (Number.isNaN(at.getTime())) return '--:--:--.---';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return printable(value);
  return printable(JSON.stringify(value) ?? 'undefined');
}

function formatError(err: unknown): string {
  if (err === undefined || err === null) return '';
  const { type, message, stack, ...more } = (typeof err === 'object' ? err : { message: err }) as LoggedError;
  const text = typeof stack === 'string' ? stack : `${type ?? 'Error'}: ${message ?? ''}`;
  const facts = Object.keys(more).length > 0 ? `\n${JSON.stringify(more)}` : '';
  return `${printable(text + facts, { lines: true }).replace(/^/gm, '    ')}\n`;
}
