export type HolidayName = 'eidFitr' | 'eidAdha' | 'foundingDay' | 'nationalDay';
export type Holiday = { name: HolidayName; from: string; until: string };

const DAY_MS = 86_400_000;
/** Month, day and length by the Umm al-Qura calendar; length is the usual public holiday of four days. */
const HIJRI = [
  { name: 'eidFitr', month: 10, day: 1, days: 4 },
  { name: 'eidAdha', month: 12, day: 9, days: 4 },
] as const;
const GREGORIAN = [
  { name: 'foundingDay', monthDay: '02-22' },
  { name: 'nationalDay', monthDay: '09-23' },
] as const;

const hijri = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  month: 'numeric',
  day: 'numeric',
});

/**
 * The next of each Saudi public holiday within a year, by start. Hijri dates are found by walking the days: Intl converts only to
 * that calendar. The sighting of the moon may move an Eid by a day.
 */
export function holidaysAfter(today: string): Holiday[] {
  const start = Date.parse(today);
  const dayAt = (offset: number) => new Date(start + offset * DAY_MS).toISOString().slice(0, 10);
  const found = new Map<HolidayName, Holiday>();
  for (let offset = 0; offset <= 366; offset += 1) {
    const day = dayAt(offset);
    for (const { name, monthDay } of GREGORIAN) {
      if (!found.has(name) && day.endsWith(monthDay)) found.set(name, { name, from: day, until: day });
    }
    const { month, dayOfMonth } = hijriOf(day);
    for (const holiday of HIJRI) {
      if (found.has(holiday.name) || month !== holiday.month || dayOfMonth !== holiday.day) continue;
      found.set(holiday.name, { name: holiday.name, from: day, until: dayAt(offset + holiday.days - 1) });
    }
  }
  return [...found.values()].toSorted((one, other) => one.from.localeCompare(other.from));
}

function hijriOf(day: string): { month: number; dayOfMonth: number } {
  const parts = hijri.formatToParts(new Date(day));
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { month: numberOf('month'), dayOfMonth: numberOf('day') };
}
