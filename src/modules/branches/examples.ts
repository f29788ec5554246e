export const createdAt = '2026-11-15T08:00:00.000Z';

export const weekdayExample = {
  saturday: { open: '09:00', close: '23:00' },
  sunday: { open: '09:00', close: '23:00' },
  thursday: { open: '10:00', close: '01:00' },
  friday: {
    periods: [
      { open: '08:00', close: '11:00' },
      { open: '13:30', close: '23:30' },
    ],
  },
  monday: { closed: true },
};

const period = (WeekDay: string, OpenHour: number, CloseHour: number) => ({
  WeekDay,
  OpenHour,
  OpenMinute: 0,
  CloseHour,
  CloseMinute: 0,
});
export const periodsExample = [period('Sunday', 9, 23), period('Thursday', 10, 1), period('Saturday', 9, 23)];

export const inputExample = {
  iv_id: 'RUH-HITTIN',
  name_en: 'Riyadh, Hittin',
  name_ar: 'الرياض، حي حطين',
  email: 'hittin@najd.example',
  active: true,
  status: 'Published',
  location: { lat: 24.7615, lon: 46.6021, city: 'الرياض' },
  google_maps_id: 'ChIJbUEZ7ZsDLz4RZ8Vn3PBAz1A',
  working_hours: periodsExample,
};

export const formExample = {
  iv_id: 'RUH-NARJIS',
  name_en: 'Riyadh, Al Narjis',
  name_ar: 'الرياض، حي النرجس',
  active: 'true',
  location: JSON.stringify(inputExample.location),
  working_hours: JSON.stringify(periodsExample),
};

const files = 'https://api.example.com/api/v1/files/0193a1f0-7c00-7000-8000-000000000001';
export const branchExample = {
  id: '0193a1f0-7c00-7000-8000-000000000002',
  iv_id: inputExample.iv_id,
  organization_id: '0193a1f0-7c00-7000-8000-000000000001',
  name_en: inputExample.name_en,
  name_ar: inputExample.name_ar,
  email: inputExample.email,
  active: true,
  status: 'Published',
  location: inputExample.location,
  apple_maps_id: '',
  google_maps_id: inputExample.google_maps_id,
  working_hours: periodsExample,
  working_hours_periods: periodsExample,
  is_open: true,
  time_zone: null,
  hero_image: `${files}/3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.webp`,
  banner_image: null,
  photos: [`${files}/8b1f2f64-5f7e-4f52-8a43-0f9d3a5c2e70.jpg`],
  created: createdAt,
  updated: createdAt,
};
