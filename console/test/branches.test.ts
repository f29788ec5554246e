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
import { fit, inside, seenAt, together } from '../src/features/branches/map-view.ts';
import { pointOf, readPlace } from '../src/features/branches/places.ts';

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

describe('places', () => {
  it.each([
    ['24.7136, 46.6753', 24.7136, 46.6753],
    ['(24.7136 46.6753)', 24.7136, 46.6753],
    ['https://www.google.com/maps/place/X/@24.1,46.1,17z/data=!3d24.7136!4d46.6753', 24.7136, 46.6753],
    ['https://maps.google.com/?q=24.7136,46.6753', 24.7136, 46.6753],
    ['https://maps.apple.com/?ll=24.7136,46.6753&z=10', 24.7136, 46.6753],
    ['geo:24.7136,46.6753', 24.7136, 46.6753],
    ['riyadh', 24.7136, 46.6753],
    ['الرياض', 24.7136, 46.6753],
    ['ابها', 18.2164, 42.5053],
    ['Medina', 24.4672, 39.6112],
  ])('%s', (text, lat, lon) => {
    expect(readPlace(text)).toMatchObject({ lat, lon });
  });

  it.each(['', 'somewhere', '95, 46', '24.7'])('returns undefined for "%s"', (text) => {
    expect(readPlace(text)).toBeUndefined();
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
