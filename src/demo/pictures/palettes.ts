/** `ground` is behind the drawing; `main`, `dark` and `light` are of one hue; `accent` is of another. */
export type Palette = { ground: string; main: string; dark: string; light: string; accent: string };

export const PALETTES: readonly Palette[] = [
  { ground: '#e8f1fb', main: '#3f7fc4', dark: '#27527f', light: '#b9d5f2', accent: '#f2b134' },
  { ground: '#e9f6ef', main: '#3d9a6b', dark: '#256546', light: '#b8e0cb', accent: '#f08a5d' },
  { ground: '#fdeeee', main: '#d2555a', dark: '#8f3236', light: '#f5c3c5', accent: '#3f7fc4' },
  { ground: '#fdf4e3', main: '#d9963a', dark: '#8f5f1c', light: '#f6dcae', accent: '#3d9a6b' },
  { ground: '#f1edfa', main: '#7a62bd', dark: '#4d3c80', light: '#d3c8ee', accent: '#e5739d' },
  { ground: '#e6f5f6', main: '#2f97a3', dark: '#1d6069', light: '#aedde2', accent: '#d2555a' },
];

/** Like the goods of one maker, which look alike. FNV-1a, since any even spread over six will do. */
export function paletteOf(brand: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < brand.length; index += 1) hash = Math.imul(hash ^ brand.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % PALETTES.length;
}
