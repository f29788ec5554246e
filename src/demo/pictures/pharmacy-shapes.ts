import type { Palette } from './palettes.ts';
import { circle, ellipse, line, rect, repeat, shape, turned } from './svg.ts';

/** In a square of 240 by 240, on the ground of the palette. */
export type Draw = (colours: Palette) => string;

const cross = (x: number, y: number, size: number, fill: string) =>
  rect(x - size / 6, y - size / 2, size / 3, size, 2, fill) + rect(x - size / 2, y - size / 6, size, size / 3, 2, fill);

const box: Draw = ({ main, dark, light, accent }) =>
  shape('M52 74 L72 58 H196 L176 74 Z', light) +
  shape('M176 74 L196 58 V150 L176 166 Z', dark) +
  rect(52, 74, 124, 92, 3, main) +
  rect(52, 112, 124, 16, 0, '#fff') +
  cross(76, 93, 24, '#fff') +
  rect(96, 146, 100, 46, 6, '#dfe4ea') +
  repeat(10, (index) => circle(108 + (index % 5) * 19, 160 + Math.floor(index / 5) * 19, 7, accent));

const syrup: Draw = ({ main, dark, light, accent }) =>
  rect(96, 42, 48, 30, 5, '#fff') +
  rect(92, 50, 56, 6, 2, light) +
  shape('M100 72 H140 V84 Q164 92 164 116 V190 Q164 200 154 200 H86 Q76 200 76 190 V116 Q76 92 100 84 Z', '#8a5a33') +
  rect(76, 124, 88, 54, 0, '#fff') +
  rect(76, 124, 88, 14, 0, main) +
  cross(102, 158, 22, accent) +
  rect(122, 150, 30, 5, 2, dark) +
  rect(122, 161, 22, 5, 2, light);

const drops: Draw = ({ main, dark, light, accent }) =>
  shape('M112 40 H128 L134 84 H106 Z', '#fff') +
  rect(96, 84, 48, 22, 4, dark) +
  rect(84, 106, 72, 92, 12, light) +
  rect(84, 128, 72, 46, 0, main) +
  shape('M120 134 q14 18 0 32 q-14 -14 0 -32', '#fff') +
  circle(172, 70, 7, accent) +
  circle(186, 88, 4, accent);

const tube: Draw = ({ main, dark, light, accent }) =>
  turned(
    -18,
    rect(84, 40, 72, 12, 2, light),
    shape('M86 52 H154 L144 168 H96 Z', '#fff'),
    shape('M90 92 H150 L146 140 H94 Z', main),
    circle(120, 116, 14, accent),
    rect(100, 168, 40, 32, 5, dark),
  );

const pump: Draw = ({ main, dark, light, accent }) =>
  line('M120 62 V44 H92', dark, 8) +
  rect(102, 60, 36, 22, 4, dark) +
  rect(78, 82, 84, 118, 16, light) +
  rect(78, 112, 84, 60, 0, main) +
  shape('M120 122 q20 18 0 40 q-20 -22 0 -40', '#fff') +
  circle(120, 186, 5, accent);

const pills: Draw = ({ main, dark, light, accent }) =>
  rect(86, 46, 68, 30, 5, '#fff') +
  repeat(6, (index) => rect(92 + index * 10, 50, 3, 22, 1, light)) +
  rect(78, 76, 84, 118, 12, main) +
  rect(78, 104, 84, 62, 0, '#fff') +
  circle(104, 134, 16, accent) +
  rect(128, 122, 26, 6, 3, dark) +
  rect(128, 136, 20, 6, 3, light) +
  ellipse(180, 188, 16, 9, accent) +
  ellipse(196, 170, 9, 9, main);

const toothbrush: Draw = ({ main, dark, light, accent }) =>
  turned(
    38,
    rect(112, 34, 18, 172, 9, main),
    rect(112, 120, 18, 40, 0, light),
    rect(130, 40, 16, 46, 3, '#fff'),
    repeat(4, (index) => rect(130, 44 + index * 11, 16, 4, 0, accent)),
    circle(121, 190, 4, dark),
  );

const diapers: Draw = ({ main, dark, light, accent }) =>
  line('M96 62 Q120 34 144 62', dark, 8) +
  rect(52, 60, 136, 138, 16, main) +
  rect(52, 160, 136, 38, 14, light) +
  circle(120, 116, 38, '#fff') +
  shape('M96 102 H144 V110 Q134 114 132 136 H108 Q106 114 96 110 Z', accent) +
  circle(112, 150, 3, dark) +
  circle(128, 150, 3, dark);

const tin: Draw = ({ main, dark, light, accent }) =>
  rect(68, 66, 104, 130, 6, main) +
  ellipse(120, 196, 52, 12, main) +
  ellipse(120, 66, 52, 14, light) +
  ellipse(120, 64, 42, 9, '#fff') +
  rect(68, 104, 104, 60, 0, '#fff') +
  circle(120, 134, 20, accent) +
  circle(113, 130, 3, dark) +
  circle(127, 130, 3, dark) +
  line('M112 140 Q120 147 128 140', dark, 3);

const meter: Draw = ({ main, dark, light, accent }) =>
  rect(72, 44, 96, 150, 26, main) +
  rect(86, 64, 68, 54, 6, '#dff0e2') +
  line('M92 94 H104 L110 78 L120 106 L128 88 H148', dark, 4) +
  circle(120, 148, 18, light) +
  circle(120, 148, 9, accent) +
  rect(108, 186, 24, 22, 3, '#fff');

const plasters: Draw = ({ main, light, accent }) => {
  const plaster = (fill: string) =>
    rect(42, 96, 156, 48, 24, fill) +
    rect(96, 96, 48, 48, 0, '#fff') +
    repeat(9, (index) => circle(108 + (index % 3) * 12, 108 + Math.floor(index / 3) * 12, 2.5, accent));
  return turned(-40, plaster(light)) + turned(38, plaster(main));
};

const sun: Draw = ({ main, dark, light, accent }) =>
  rect(86, 40, 68, 34, 8, dark) +
  shape('M80 74 H160 V176 Q160 200 120 200 Q80 200 80 176 Z', main) +
  circle(120, 134, 20, accent) +
  repeat(8, (index) => `<g transform="rotate(${index * 45} 120 134)">${rect(117, 100, 6, 10, 3, accent)}</g>`) +
  rect(98, 176, 44, 6, 3, light);

export const PHARMACY_SHAPES = {
  box,
  syrup,
  drops,
  tube,
  pump,
  pills,
  toothbrush,
  diapers,
  tin,
  meter,
  plasters,
  sun,
};
