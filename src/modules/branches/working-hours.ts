export const WEEK_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

export type WorkingPeriod = {
  WeekDay: WeekDay;
  OpenHour: number;
  OpenMinute: number;
  CloseHour: number;
  CloseMinute: number;
};

export type ParsedWorkingHours = { ok: true; periods: WorkingPeriod[] } | { ok: false; errors: Record<string, string> };

export const MINUTES_PER_DAY = 24 * 60;
export const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

// No shop opens twenty times a day; the cap keeps a hostile body from costing more than a refusal.
export const MAX_PERIODS_PER_DAY = 20;
const MAX_PERIODS = WEEK_DAYS.length * MAX_PERIODS_PER_DAY;
// Only seven names are right, so any slice longer than that already holds a wrong one and the answer is a refusal.
const MAX_WEEKDAY_KEYS_READ = 16;

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const DAY_FORMS = 'must be {open, close}, {periods: [...]} or {closed: true}';

type FieldErrors = Record<string, string>;
type Time = { hour: number; minute: number };
type Window = { path: string; period: WorkingPeriod };

/** Reads either written style into sorted periods. A day that is closed has no period. */
export function parseWorkingHours(input: unknown, field = 'working_hours'): ParsedWorkingHours {
  const errors: FieldErrors = {};
  let windows: Window[] = [];
  if (Array.isArray(input)) windows = readCanonicalArray(input, field, errors);
  else if (isRecord(input)) windows = readWeekdayObject(input, field, errors);
  else errors[field] = 'must be a weekday object or an array of periods';

  windows.sort((a, b) => periodSpan(a.period).startMinute - periodSpan(b.period).startMinute);
  reportOverlaps(windows, errors);
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, periods: windows.map((window) => window.period) };
}

/**
 * Where a period lies in a week that starts on Sunday 00:00. The end may pass the end of the week.
 * A close at or before the open belongs to the next day, so equal times make 24 hours.
 */
export function periodSpan(period: WorkingPeriod): { startMinute: number; lengthMinutes: number } {
  const open = period.OpenHour * 60 + period.OpenMinute;
  const close = period.CloseHour * 60 + period.CloseMinute;
  return {
    startMinute: WEEK_DAYS.indexOf(period.WeekDay) * MINUTES_PER_DAY + open,
    lengthMinutes: close > open ? close - open : close - open + MINUTES_PER_DAY,
  };
}

function readWeekdayObject(input: Record<string, unknown>, field: string, errors: FieldErrors): Window[] {
  const windows: Window[] = [];
  for (const name of Object.keys(input).slice(0, MAX_WEEKDAY_KEYS_READ)) {
    const weekDay = WEEK_DAYS.find((day) => day.toLowerCase() === name);
    if (weekDay === undefined) {
      // The key comes from the client: only a short plain one is echoed, since NUL or a megabyte of text
      // would otherwise travel into answers, logs and stored reports.
      const path = /^[\w-]{1,32}$/.test(name) ? `${field}.${name}` : field;
      errors[path] = `unknown weekday: use ${WEEK_DAYS.map((day) => day.toLowerCase()).join(', ')}`;
      continue;
    }
    windows.push(...readDay(weekDay, input[name], `${field}.${name}`, errors));
  }
  return windows;
}

function readDay(weekDay: WeekDay, value: unknown, path: string, errors: FieldErrors): Window[] {
  if (!isRecord(value)) {
    errors[path] = DAY_FORMS;
    return [];
  }
  // Serializers that write every member send null for the unused ones, so null counts as absent.
  const { open = null, close = null, periods = null, closed = null } = value;
  const hasTimes = open !== null || close !== null;

  if (closed !== null && typeof closed !== 'boolean') {
    errors[`${path}.closed`] = 'must be true or false';
    return [];
  }
  if (closed === true) {
    if (hasTimes || periods !== null) errors[`${path}.closed`] = 'cannot be true together with open, close or periods';
    return [];
  }
  if (hasTimes && periods !== null) {
    errors[`${path}.periods`] = 'cannot be combined with open and close';
    return [];
  }
  if (hasTimes) return readTimes(weekDay, open, close, path, errors);
  if (periods !== null) return readDayPeriods(weekDay, periods, `${path}.periods`, errors);
  errors[path] = DAY_FORMS;
  return [];
}

function readDayPeriods(weekDay: WeekDay, value: unknown, path: string, errors: FieldErrors): Window[] {
  if (!Array.isArray(value)) {
    errors[path] = 'must be an array of {open, close}';
    return [];
  }
  if (value.length > MAX_PERIODS_PER_DAY) {
    errors[path] = `must hold at most ${MAX_PERIODS_PER_DAY} periods`;
    return [];
  }
  return value.flatMap((item: unknown, index) => {
    if (isRecord(item)) return readTimes(weekDay, item.open, item.close, `${path}.${index}`, errors);
    errors[`${path}.${index}`] = 'must be {open, close}';
    return [];
  });
}

function readTimes(weekDay: WeekDay, open: unknown, close: unknown, path: string, errors: FieldErrors): Window[] {
  const opens = readTime(open);
  const closes = close === '24:00' ? { hour: 24, minute: 0 } : readTime(close);
  if (opens === undefined) errors[`${path}.open`] = timeError(open, '00:00 to 23:59');
  if (closes === undefined) errors[`${path}.close`] = timeError(close, '00:00 to 24:00');
  if (opens === undefined || closes === undefined) return [];
  return [{ path, period: toPeriod(weekDay, opens, closes) }];
}

function readTime(value: unknown): Time | undefined {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  return match === null ? undefined : { hour: Number(match[1]), minute: Number(match[2]) };
}

function timeError(value: unknown, range: string): string {
  return isAbsent(value) ? 'is required' : `must be a time as HH:MM, ${range}`;
}

function readCanonicalArray(input: unknown[], field: string, errors: FieldErrors): Window[] {
  if (input.length > MAX_PERIODS) {
    errors[field] = `must hold at most ${MAX_PERIODS} periods`;
    return [];
  }
  const perDay = new Map<WeekDay, number>();
  const windows: Window[] = [];
  for (const [index, item] of input.entries()) {
    const path = `${field}.${index}`;
    const window = readCanonicalPeriod(item, path, errors);
    if (window === undefined) continue;
    const count = (perDay.get(window.period.WeekDay) ?? 0) + 1;
    perDay.set(window.period.WeekDay, count);
    if (count > MAX_PERIODS_PER_DAY) errors[path] = `exceeds ${MAX_PERIODS_PER_DAY} periods on one weekday`;
    else windows.push(window);
  }
  return windows;
}

function readCanonicalPeriod(item: unknown, path: string, errors: FieldErrors): Window | undefined {
  if (!isRecord(item)) {
    errors[path] = 'must be {WeekDay, OpenHour, OpenMinute, CloseHour, CloseMinute}';
    return undefined;
  }
  const weekDay = WEEK_DAYS.find((day) => day === item.WeekDay);
  if (weekDay === undefined) {
    errors[`${path}.WeekDay`] = isAbsent(item.WeekDay) ? 'is required' : `must be one of ${WEEK_DAYS.join(', ')}`;
  }
  const readInteger = (name: string, max: number): number | undefined => {
    const value = item[name];
    // Adding zero turns the -0 that JSON can spell into 0.
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value + 0;
    errors[`${path}.${name}`] = isAbsent(value) ? 'is required' : `must be an integer from 0 to ${max}`;
    return undefined;
  };
  const openHour = readInteger('OpenHour', 23);
  const openMinute = readInteger('OpenMinute', 59);
  const closeHour = readInteger('CloseHour', 24);
  const closeMinute = readInteger('CloseMinute', 59);
  if (closeHour === 24 && closeMinute !== undefined && closeMinute > 0) {
    errors[`${path}.CloseMinute`] = 'must be 0 when CloseHour is 24';
    return undefined;
  }
  if (weekDay === undefined || openHour === undefined || openMinute === undefined) return undefined;
  if (closeHour === undefined || closeMinute === undefined) return undefined;
  const opens = { hour: openHour, minute: openMinute };
  const closes = { hour: closeHour, minute: closeMinute };
  return { path, period: toPeriod(weekDay, opens, closes) };
}

/** Expects windows sorted by start; the later one is blamed, naming the window it runs into. */
function reportOverlaps(windows: readonly Window[], errors: FieldErrors): void {
  let furthest: { window: Window; endMinute: number } | undefined;
  for (const window of windows) {
    const { startMinute, lengthMinutes } = periodSpan(window.period);
    if (furthest !== undefined && startMinute < furthest.endMinute) {
      errors[window.path] = `overlaps ${describe(furthest.window.period)}`;
    }
    const endMinute = startMinute + lengthMinutes;
    if (furthest === undefined || endMinute > furthest.endMinute) furthest = { window, endMinute };
  }
  if (furthest === undefined) return;
  // What runs past Saturday's midnight meets the start of the same list, one week on.
  for (const window of windows) {
    if (periodSpan(window.period).startMinute + MINUTES_PER_WEEK >= furthest.endMinute) break;
    errors[window.path] = `overlaps ${describe(furthest.window.period)}`;
  }
}

function describe(period: WorkingPeriod): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const open = `${two(period.OpenHour)}:${two(period.OpenMinute)}`;
  return `${period.WeekDay} ${open}-${two(period.CloseHour)}:${two(period.CloseMinute)}`;
}

function toPeriod(weekDay: WeekDay, open: Time, close: Time): WorkingPeriod {
  return {
    WeekDay: weekDay,
    OpenHour: open.hour,
    OpenMinute: open.minute,
    CloseHour: close.hour,
    CloseMinute: close.minute,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
