/** Branches as a client would send them, in both styles of working hours. */
export type DemoBranch = {
  iv_id: string;
  name_en: string;
  name_ar: string;
  email: string;
  active: boolean;
  status: 'New' | 'Pending' | 'Verifying' | 'Published' | 'Rejected' | 'Terminated';
  location: { lat: number; lon: number; city: string };
  google_maps_id: string;
  working_hours: unknown;
};

const WORK_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday'] as const;
const ALL_DAYS = [...WORK_DAYS, 'Friday', 'Saturday'] as const;

type Times = { open: string; close: string };
type Day = Times | { periods: Times[] } | { closed: true };

const daily = (open: string, close: string): Times => ({ open, close });
/** Closed for the Friday prayer. */
const aroundPrayer = (open: string, close: string): Day => ({
  periods: [
    { open, close: '11:15' },
    { open: '13:15', close },
  ],
});

function byWeekday(usual: Day, exceptions: Record<string, Day> = {}): Record<string, Day> {
  return Object.fromEntries(ALL_DAYS.map((day) => [day.toLowerCase(), exceptions[day] ?? usual]));
}

type Period = [openHour: number, openMinute: number, closeHour: number, closeMinute: number];

function asPeriods(usual: Period[], exceptions: Record<string, Period[]> = {}): unknown[] {
  return ALL_DAYS.flatMap((WeekDay) =>
    (exceptions[WeekDay] ?? usual).map(([OpenHour, OpenMinute, CloseHour, CloseMinute]) => ({
      WeekDay,
      OpenHour,
      OpenMinute,
      CloseHour,
      CloseMinute,
    })),
  );
}

function branch(
  iv_id: string,
  names: [en: string, ar: string],
  [lat, lon, city]: [number, number, string],
  working_hours: unknown,
  rest: Partial<DemoBranch> & { email: string },
): DemoBranch {
  return {
    iv_id,
    name_en: names[0],
    name_ar: names[1],
    active: true,
    status: 'Published',
    location: { lat, lon, city },
    google_maps_id: `demo-${iv_id.toLowerCase()}`,
    working_hours,
    ...rest,
  };
}

export const PHARMACY_BRANCHES: readonly DemoBranch[] = [
  branch(
    'RUH-OLAYA',
    ['Riyadh, Olaya Street', 'الرياض، شارع العليا'],
    [24.6953, 46.6851, 'Riyadh'],
    byWeekday(daily('00:00', '24:00')),
    { email: 'olaya@najd.example' },
  ),
  branch(
    'RUH-MALQA',
    ['Riyadh, Al Malqa', 'الرياض، حي الملقا'],
    [24.8081, 46.6053, 'الرياض'],
    byWeekday(daily('08:00', '23:59'), { Friday: aroundPrayer('09:00', '23:59') }),
    { email: 'malqa@najd.example' },
  ),
  branch(
    'JED-RAWDAH',
    ['Jeddah, Al Rawdah', 'جدة، حي الروضة'],
    [21.5642, 39.1531, 'Jeddah'],
    asPeriods([[9, 0, 2, 0]], {
      Friday: [
        [8, 30, 11, 15],
        [13, 30, 3, 0],
      ],
    }),
    { email: 'rawdah@najd.example' },
  ),
  branch(
    'DMM-SHATEA',
    ['Dammam, Al Shatea', 'الدمام، حي الشاطئ'],
    [26.4741, 50.1203, 'Dammam'],
    byWeekday(aroundPrayer('08:00', '23:30'), { Friday: daily('14:00', '00:30') }),
    { email: 'shatea@najd.example' },
  ),
  branch(
    'MED-QUBA',
    ['Madinah, Quba Road', 'المدينة المنورة، طريق قباء'],
    [24.4402, 39.6171, 'المدينة المنورة'],
    asPeriods([[7, 0, 1, 0]]),
    { email: 'quba@najd.example', status: 'Verifying' },
  ),
  branch(
    'AHB-CENTER',
    ['Abha, King Abdulaziz Road', 'أبها، طريق الملك عبدالعزيز'],
    [18.2164, 42.5053, 'Abha'],
    byWeekday(daily('09:00', '22:00'), { Friday: { closed: true } }),
    { email: 'abha@najd.example', active: false },
  ),
];

/** Closed and cleared out: without SKUs, so that it can be deleted. */
export const SPARE_BRANCH: DemoBranch = branch(
  'RUH-BATHA',
  ['Riyadh, Al Batha (closed)', 'الرياض، البطحاء (مغلق)'],
  [24.6408, 46.7161, 'Riyadh'],
  byWeekday(daily('08:00', '22:00')),
  { email: 'batha@najd.example', active: false, status: 'Terminated' },
);

export const GROCERY_BRANCHES: readonly DemoBranch[] = [
  branch(
    'JED-SAFA',
    ['Jeddah, Al Safa', 'جدة، حي الصفا'],
    [21.5853, 39.2102, 'جدة'],
    byWeekday(daily('07:00', '02:00'), { Friday: aroundPrayer('08:00', '02:00') }),
    { email: 'safa@tihama.example' },
  ),
  branch(
    'JED-NAEEM',
    ['Jeddah, Al Naeem', 'جدة، حي النعيم'],
    [21.6181, 39.1502, 'Jeddah'],
    asPeriods([[6, 30, 1, 0]], {
      Friday: [
        [6, 30, 11, 0],
        [13, 0, 1, 0],
      ],
    }),
    { email: 'naeem@tihama.example' },
  ),
  branch(
    'MAK-AZIZIYAH',
    ['Makkah, Al Aziziyah', 'مكة المكرمة، حي العزيزية'],
    [21.4001, 39.8752, 'Makkah'],
    byWeekday(daily('00:00', '24:00')),
    { email: 'aziziyah@tihama.example' },
  ),
  branch(
    'TIF-SHUBRA',
    ['Taif, Shubra', 'الطائف، حي شبرا'],
    [21.2854, 40.4183, 'الطائف'],
    byWeekday(daily('08:00', '23:30'), { Friday: aroundPrayer('08:30', '23:30') }),
    { email: 'shubra@tihama.example' },
  ),
  branch(
    'TUU-MURUJ',
    ['Tabuk, Al Muruj', 'تبوك، حي المروج'],
    [28.3998, 36.5701, 'Tabuk'],
    asPeriods([
      [8, 0, 12, 0],
      [16, 0, 0, 30],
    ]),
    { email: 'muruj@tihama.example', status: 'Pending' },
  ),
  branch(
    'GIZ-CORNICHE',
    ['Jazan, Corniche warehouse', 'جازان، مستودع الكورنيش'],
    [16.8892, 42.5511, 'Jazan'],
    byWeekday(daily('06:00', '18:00'), { Friday: { closed: true }, Saturday: daily('06:00', '12:00') }),
    { email: 'warehouse@tihama.example' },
  ),
];

/** Branches of tenants without a catalog: they exist to be billed. */
export const SWEETS_BRANCHES: readonly DemoBranch[] = [
  branch(
    'ABH-01',
    ['Abha, King Fahd Road', 'أبها، طريق الملك فهد'],
    [18.2164, 42.5053, 'Abha'],
    byWeekday(daily('09:00', '23:00')),
    { email: 'abha@asir.example' },
  ),
];

export const DATES_BRANCHES: readonly DemoBranch[] = [
  branch(
    'BUR-01',
    ['Buraydah, Dates City', 'بريدة، مدينة التمور'],
    [26.3489, 43.9668, 'Buraydah'],
    byWeekday(daily('06:00', '22:00')),
    { email: 'buraydah@qassim.example' },
  ),
  branch(
    'UNZ-01',
    ['Unaizah, Old Market', 'عنيزة، السوق القديم'],
    [26.0844, 43.9936, 'Unaizah'],
    byWeekday(daily('08:00', '22:00')),
    { email: 'unaizah@qassim.example' },
  ),
];
