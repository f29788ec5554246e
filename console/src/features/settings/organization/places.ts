/** Time zones of the region; a stored one that is missing here is offered too. */
const TIME_ZONES = [
  'Asia/Riyadh',
  'Asia/Dubai',
  'Asia/Kuwait',
  'Asia/Qatar',
  'Asia/Bahrain',
  'Asia/Muscat',
  'Asia/Amman',
  'Asia/Beirut',
  'Asia/Baghdad',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Europe/Istanbul',
  'Europe/London',
  'Europe/Paris',
  'Asia/Karachi',
  'Asia/Kolkata',
  'America/New_York',
  'UTC',
];
const CURRENCIES = ['SAR', 'AED', 'KWD', 'QAR', 'BHD', 'OMR', 'JOD', 'EGP', 'USD', 'EUR'];

type Option = { value: string; text: string };

export function timeZonesIn(locale: string, chosen: string): Option[] {
  return withChosen(TIME_ZONES, chosen).map((timeZone) => ({
    value: timeZone,
    text: `${part(locale, timeZone, 'shortOffset')} · ${part(locale, timeZone, 'long')} · ${timeZone}`,
  }));
}

export function currenciesIn(locale: string, chosen: string): Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return withChosen(CURRENCIES, chosen).map((code) => ({ value: code, text: `${code} · ${names.of(code) ?? code}` }));
}

const withChosen = (known: readonly string[], chosen: string) => (known.includes(chosen) ? known : [chosen, ...known]);

function part(locale: string, timeZone: string, timeZoneName: 'shortOffset' | 'long'): string {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(new Date());
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  } catch {
    return timeZone;
  }
}
