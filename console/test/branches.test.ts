import { describe, expect, it } from 'vitest';
import {
  fromTheDayBefore,
  hoursOf,
  overlapping,
  periodsOf,
  readTime,
  stateAt,
  timeText,
  type Week,
  weekOf,
} from '../src/features/branches/hours/week.ts';
import { fit, inside, pointAt, seenAt, together, zoomAt } from '../src/features/branches/map-view.ts';
import { branchPlace, findPlaces, GAZETTEER, nearestPlace } from '../src/features/branches/place-picker/gazetteer.ts';
import { labelsIn, scaleOf } from '../src/features/branches/place-picker/map-labels.ts';
import { locationOf } from '../src/features/branches/place-picker/place-text.ts';
import { distanceKm, placeOf, pointOf, readPlace } from '../src/features/branches/places.ts';
import { isShortLink } from '../src/features/branches/read-coordinates.ts';

const CLOSED: Week = weekOf([]);
const RIYADH = 'Asia/Riyadh';
/** A Sunday in Riyadh, at the time given. */
const sunday = (time: string) => new Date(`2026-11-15T${time}:00+03:00`);

describe('times', () => {
  it.each([
    ['9', 540],
    ['930', 570],
    ['9:30', 570],
    ['21.30', 1290],
    ['٩:٣٠', 570],
    ['9 pm', 1260],
    ['12 am', 0],
    ['4 م', 960],
    ['12 ص', 0],
    ['24:00', 1440],
    ['0', 0],
  ])('reads %s', (text, minute) => {
    expect(readTime(text)).toBe(minute);
  });

  it.each(['', 'noon', '25', '9:60', '24:01', '13 pm', '1:2:3'])('returns undefined for "%s"', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  it('writes hours as the service takes them: midnight ends a day, and later hours belong to the day before', () => {
    expect([0, 570, 1440, 1560].map(timeText)).toEqual(['00:00', '09:30', '24:00', '02:00']);
    const week: Week = { ...CLOSED, Thursday: [hoursOf(600, 60), hoursOf(0, 0)] };
    expect(periodsOf(week).map(({ OpenHour, CloseHour }) => [OpenHour, CloseHour])).toEqual([
      [10, 1],
      [0, 24],
    ]);
    expect(weekOf(periodsOf({ ...CLOSED, Friday: [{ open: 1200, close: 1560 }] })).Friday).toEqual([
      { open: 1200, close: 1560 },
    ]);
  });
});

describe('a week', () => {
  it('finds overlapping hours across midnight and across the end of the week', () => {
    expect([...overlapping({ ...CLOSED, Sunday: [hoursOf(0, 600), hoursOf(600, 700)] })]).toEqual([]);
    expect([...overlapping({ ...CLOSED, Sunday: [hoursOf(0, 600), hoursOf(599, 700)] })]).toHaveLength(2);
    const nights: Week = { ...CLOSED, Monday: [hoursOf(1200, 120)], Tuesday: [hoursOf(60, 300)] };
    expect([...overlapping(nights)]).toEqual(['Monday 0', 'Tuesday 0']);
    expect(fromTheDayBefore(nights, 'Tuesday')).toBe(120);
    const end: Week = { ...CLOSED, Saturday: [hoursOf(1200, 120)], Sunday: [hoursOf(60, 300)] };
    expect([...overlapping(end)].sort()).toEqual(['Saturday 0', 'Sunday 0']);
  });

  it('returns whether the branch is open now, and until when', () => {
    const week: Week = { ...CLOSED, Sunday: [hoursOf(540, 720), hoursOf(960, 120)], Saturday: [hoursOf(1200, 60)] };
    expect(stateAt(week, sunday('00:30'), RIYADH)).toEqual({ state: 'open', until: 60 });
    expect(stateAt(week, sunday('08:00'), RIYADH)).toMatchObject({ state: 'closed', opens: 540, isToday: true });
    expect(stateAt(week, sunday('10:00'), RIYADH)).toEqual({ state: 'open', until: 720 });
    expect(stateAt(week, sunday('23:00'), RIYADH)).toEqual({ state: 'open', until: 120 });
    const monday = new Date(sunday('12:00').getTime() + 86_400_000);
    expect(stateAt(week, monday, RIYADH)).toMatchObject({ state: 'closed', day: 'Saturday', isToday: false });
    expect(stateAt(CLOSED, monday, RIYADH)).toEqual({ state: 'never' });
    const always = Object.fromEntries(Object.keys(CLOSED).map((day) => [day, [hoursOf(0, 1440)]])) as unknown as Week;
    expect(stateAt(always, monday, RIYADH)).toEqual({ state: 'always' });
  });
});

describe('the address search', () => {
  const first = (text: string) => findPlaces(text, GAZETTEER)[0];

  it.each([
    ['العليا الرياض', 'Al Olaya', 'Riyadh'],
    ['al-olaya riyadh', 'Al Olaya', 'Riyadh'],
    ['الملقا', 'Al Malqa', 'Riyadh'],
    ['اشبيليه', 'Ishbiliyah', 'Riyadh'],
    ['جده', 'Jeddah', 'Makkah Region'],
    ['Jiddah', 'Jeddah', 'Makkah Region'],
    ['buraida', 'Buraydah', 'Qassim Region'],
    ['الأحساء', 'Hofuf', 'Eastern Province'],
    ['kafd', 'KAFD', 'Riyadh'],
    ['ابحر', 'Obhur Ash Shamaliyah', 'Jeddah'],
  ])('finds %s', (text, en, within) => {
    expect(first(text)).toMatchObject({ en, within: { en: within } });
  });

  it('prefers cities over regions and districts of the same name, and finds nothing for other text', () => {
    expect(first('riyadh')).toMatchObject({ kind: 'city', en: 'Riyadh' });
    expect(first('منطقة الرياض')).toMatchObject({ kind: 'region' });
    expect(findPlaces('nowhere at all', GAZETTEER)).toEqual([]);
    expect(findPlaces('  ', GAZETTEER)).toEqual([]);
  });

  it('finds branches of the organization by name, code and city', () => {
    const branch = branchPlace({
      id: '1',
      iv_id: 'RUH-01',
      name_en: '',
      name_ar: 'فرع النخيل',
      location: { lat: 24.74, lon: 46.63, city: 'الرياض' },
    });
    const places = branch === undefined ? [] : [branch, ...GAZETTEER];
    for (const text of ['ruh-01', 'فرع', 'النخيل الرياض']) expect(findPlaces(text, places)[0]?.id).toBe('branch.1');
    expect(branchPlace({ id: '2', iv_id: 'X', name_en: 'X', name_ar: '', location: null })).toBeUndefined();
  });

  it('has places inside Saudi Arabia only, each once, every district near its city', () => {
    expect(GAZETTEER.filter(({ kind }) => kind === 'region')).toHaveLength(13);
    expect(new Set(GAZETTEER.map(({ id }) => id)).size).toBe(GAZETTEER.length);
    for (const { en, lat, lon, ar, kind, within } of GAZETTEER) {
      expect([lat > 16, lat < 32.3, lon > 34.4, lon < 55.8, /[\u0621-\u064a]/.test(ar)], en).not.toContain(false);
      const city = GAZETTEER.find((place) => place.kind === 'city' && place.en === within?.en);
      if (kind === 'district') expect(city && distanceKm(city, { lat, lon }), en).toBeLessThan(35);
    }
  });

  it('names the nearest place, and none in the desert', () => {
    expect(nearestPlace({ lat: 24.696, lon: 46.683 })).toMatchObject({ en: 'Al Olaya' });
    expect(nearestPlace({ lat: 20, lon: 52 })).toBeUndefined();
  });
});

describe('the location of a form', () => {
  it('is none when both coordinates are empty, and undefined when one is missing or out of range', () => {
    expect(locationOf({ lat: ' ', lon: '', city: 'Riyadh' })).toBeNull();
    expect(locationOf({ lat: '24.7', lon: '', city: '' })).toBeUndefined();
    expect(locationOf({ lat: '24.7', lon: '190', city: '' })).toBeUndefined();
    expect(locationOf({ lat: '٢٤٫٧', lon: '46.6', city: ' الرياض ' })).toEqual({
      lat: 24.7,
      lon: 46.6,
      city: 'الرياض',
    });
    expect(locationOf({ lat: '24.7, 46.6', lon: '', city: '' })).toEqual({ lat: 24.7, lon: 46.6 });
  });
});

describe('places', () => {
  it.each([
    ['24.7136, 46.6753', 24.7136, 46.6753],
    ['(24.7136 46.6753)', 24.7136, 46.6753],
    ['https://www.google.com/maps/place/X/@24.1,46.1,17z/data=!3d24.7136!4d46.6753', 24.7136, 46.6753],
    ['https://maps.google.com/?q=24.7136,46.6753', 24.7136, 46.6753],
    ['https://maps.apple.com/?ll=24.7136,46.6753&z=10', 24.7136, 46.6753],
    ['geo:24.7136,46.6753', 24.7136, 46.6753],
    ['٢٤٫٧١٣٦، ٤٦٫٦٧٥٣', 24.7136, 46.6753],
    ['https://maps.apple.com/place?coordinate=24.7136%2C46.6753&name=X', 24.7136, 46.6753],
    ['https://www.google.com/maps/search/24.7136,+46.6753?entry=tts', 24.7136, 46.6753],
    ['https://www.google.com/maps/dir//24.7136,46.6753/@24.1,46.1,12z', 24.7136, 46.6753],
    ['https://www.google.com/maps/place/24.7136,46.6753', 24.7136, 46.6753],
    ['riyadh', 24.7136, 46.6753],
    ['الرياض', 24.7136, 46.6753],
    ['ابها', 18.2164, 42.5053],
    ['Medina', 24.4672, 39.6112],
  ])('%s', (text, lat, lon) => {
    expect(readPlace(text)).toMatchObject({ lat, lon });
  });

  it('reads degrees with minutes and seconds, in either order', () => {
    const wanted = { lat: expect.closeTo(24.7136, 4), lon: expect.closeTo(46.6753, 4) };
    expect(readPlace(`24°42'49.0"N 46°40'31.1"E`)).toEqual(wanted);
    expect(readPlace(`46°40′31.1″E, 24°42′49.0″N`)).toEqual(wanted);
    expect(readPlace(`24°42'49.0"N 46°40'31.1"N`)).toBeUndefined();
  });

  it('recognizes short links, which hold no coordinates', () => {
    expect(isShortLink('https://maps.app.goo.gl/AbC123')).toBe(true);
    expect(isShortLink('https://www.google.com/maps?q=24.7,46.6')).toBe(false);
    expect(readPlace('https://maps.app.goo.gl/AbC123')).toBeUndefined();
  });

  it.each(['', 'somewhere', '95, 46', '24.7', 'https://example.com/%E0%A4%A'])('returns undefined for "%s"', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });

  it('projects back, and keeps the point under the pointer while zooming', () => {
    const riyadh = { lat: 24.7136, lon: 46.6753 };
    const back = placeOf(pointOf(riyadh));
    expect([back.lat, back.lon]).toEqual([expect.closeTo(24.7136, 6), expect.closeTo(46.6753, 6)]);
    const view = fit([pointOf(riyadh)], 200);
    const corner = { x: 0.2, y: 0.7 };
    const zoomed = zoomAt(view, 0.5, corner);
    expect(zoomed.width).toBe(100);
    expect(seenAt(pointAt(corner, view), zoomed)).toEqual({ x: expect.closeTo(0.2, 6), y: expect.closeTo(0.7, 6) });
  });

  it('labels districts only in a near view, none on top of another, and draws a round scale', () => {
    const near = labelsIn(fit([pointOf({ lat: 24.7136, lon: 46.6753 })], 8), GAZETTEER);
    expect(near.map(({ place }) => place.en)).toContain('Al Olaya');
    const far = labelsIn(fit([], 0), GAZETTEER);
    expect(far.every(({ place }) => place.isSeat === true)).toBe(true);
    expect(far.length).toBeGreaterThan(5);
    expect(scaleOf(fit([], 0))).toEqual({ km: 500, part: expect.closeTo(0.165, 2) });
  });

  it('projects points to the map, and groups near markers until the view zooms in', () => {
    const riyadh = { point: pointOf({ lat: 24.7136, lon: 46.6753 }) };
    const malqa = { point: pointOf({ lat: 24.8081, lon: 46.6053 }) };
    const jeddah = { point: pointOf({ lat: 21.5433, lon: 39.1728 }) };
    expect(riyadh.point.x).toBeGreaterThan(jeddah.point.x);
    expect(riyadh.point.y).toBeLessThan(jeddah.point.y);
    const whole = fit([riyadh.point, jeddah.point], 0);
    expect(together([riyadh, malqa, jeddah], whole)).toHaveLength(2);
    expect(together([riyadh, malqa], fit([riyadh.point, malqa.point], 0))).toHaveLength(2);
    expect(seenAt(jeddah.point, whole).x).toBeLessThan(seenAt(riyadh.point, whole).x);
    expect(inside({ x: -500, y: 0, width: 10_000 })).toEqual(fit([], 0));
  });
});
