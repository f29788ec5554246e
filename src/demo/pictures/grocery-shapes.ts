import type { Draw } from './pharmacy-shapes.ts';
import { circle, ellipse, line, rect, repeat, shape, turned } from './svg.ts';

const carton: Draw = ({ main, dark, light, accent }) =>
  shape('M78 84 L96 52 H144 L162 84 Z', light) +
  rect(94, 40, 52, 14, 2, dark) +
  rect(78, 84, 84, 114, 2, '#fff') +
  rect(78, 150, 84, 48, 2, main) +
  shape('M78 150 Q98 132 120 150 T162 150 V164 H78 Z', main) +
  circle(120, 116, 16, accent);

const cup: Draw = ({ main, dark, light, accent }) =>
  ellipse(120, 78, 56, 12, light) +
  shape('M66 80 H174 L160 188 Q159 194 152 194 H88 Q81 194 80 188 Z', '#fff') +
  shape('M70 112 H170 L164 158 H76 Z', main) +
  circle(108, 135, 12, accent) +
  circle(130, 135, 12, light) +
  rect(62, 72, 116, 10, 5, dark);

const cheese: Draw = ({ main, dark }) =>
  shape('M40 156 L150 70 Q198 84 200 130 V156 Z', '#f6cf62') +
  rect(40, 156, 160, 34, 2, '#e0ac33') +
  circle(120, 132, 12, '#e0ac33') +
  circle(160, 116, 9, '#e0ac33') +
  circle(156, 144, 6, '#e0ac33') +
  rect(40, 176, 160, 14, 2, main) +
  circle(66, 183, 4, dark);

const bread: Draw = ({ main, light }) =>
  shape('M44 130 Q40 84 84 84 H156 Q200 84 196 130 L190 178 Q189 186 180 186 H60 Q51 186 50 178 Z', '#c98a45') +
  repeat(3, (index) => line(`M${84 + index * 34} 100 q8 18 0 36`, '#f2d3a3', 9)) +
  rect(44, 156, 152, 16, 0, main) +
  rect(100, 156, 40, 16, 0, light);

const sack: Draw = ({ main, dark, light, accent }) =>
  shape('M74 62 Q120 76 166 62 L178 186 Q120 206 62 186 Z', main) +
  shape('M70 48 Q120 62 170 48 L166 68 Q120 82 74 68 Z', dark) +
  ellipse(120, 132, 38, 40, '#fff') +
  line('M120 166 V112', accent, 5) +
  repeat(3, (index) => ellipse(108, 118 + index * 15, 9, 5, accent) + ellipse(132, 118 + index * 15, 9, 5, accent)) +
  rect(96, 180, 48, 5, 2, light);

const oil: Draw = ({ main, dark, light, accent }) =>
  rect(106, 36, 28, 20, 4, dark) +
  shape('M108 56 H132 V76 Q160 88 160 116 V188 Q160 200 148 200 H92 Q80 200 80 188 V116 Q80 88 108 76 Z', '#f0c64a') +
  rect(80, 120, 80, 58, 0, '#fff') +
  rect(80, 120, 80, 12, 0, main) +
  shape('M120 138 q18 18 0 34 q-18 -16 0 -34', accent) +
  rect(92, 168, 12, 4, 2, light);

const can: Draw = ({ main, dark, light, accent }) =>
  rect(72, 64, 96, 122, 4, main) +
  ellipse(120, 186, 48, 12, dark) +
  ellipse(120, 64, 48, 12, '#cfd6dd') +
  ellipse(120, 62, 38, 8, '#eef1f4') +
  rect(72, 98, 96, 56, 0, '#fff') +
  circle(104, 126, 16, accent) +
  circle(132, 126, 16, light) +
  rect(72, 160, 96, 6, 0, light);

const frozen: Draw = ({ main, dark, light }) =>
  shape('M58 60 H182 L176 72 L188 186 L180 196 H60 L52 186 L64 72 Z', main) +
  rect(60, 58, 120, 10, 2, dark) +
  circle(120, 128, 42, light) +
  repeat(
    3,
    (index) =>
      turned(index * 60, line('M120 100 V140', '#fff', 6)) + turned(index * 60 + 180, line('M120 112 V100', '#fff', 6)),
  ) +
  rect(84, 180, 72, 6, 3, light);

const water: Draw = ({ main, dark, light, accent }) =>
  rect(108, 34, 24, 16, 3, main) +
  shape('M108 50 H132 V66 Q152 78 152 104 V192 Q152 202 142 202 H98 Q88 202 88 192 V104 Q88 78 108 66 Z', light) +
  rect(88, 112, 64, 44, 0, main) +
  shape('M120 118 q14 18 0 32 q-14 -14 0 -32', '#fff') +
  rect(94, 166, 52, 4, 2, accent) +
  rect(94, 178, 52, 4, 2, dark);

const soda: Draw = ({ main, dark, light, accent }) =>
  shape('M84 62 L92 48 H148 L156 62 V186 L148 200 H92 L84 186 Z', main) +
  rect(90, 44, 60, 8, 3, '#cfd6dd') +
  shape('M84 92 Q120 120 156 84 V128 Q120 156 84 136 Z', '#fff') +
  circle(106, 170, 7, light) +
  circle(134, 160, 5, light) +
  circle(122, 184, 4, accent) +
  rect(92, 194, 56, 6, 3, dark);

const coffee: Draw = ({ main, dark, light, accent }) =>
  shape('M70 56 H170 L164 74 V190 Q164 200 154 200 H86 Q76 200 76 190 V74 Z', dark) +
  rect(68, 50, 104, 12, 3, main) +
  rect(76, 104, 88, 66, 0, light) +
  ellipse(106, 137, 16, 22, '#7a4b28') +
  line('M106 117 q8 20 0 40', light, 4) +
  ellipse(136, 141, 13, 18, '#7a4b28') +
  line('M136 125 q6 16 0 32', light, 4) +
  circle(152, 186, 4, accent);

const chips: Draw = ({ main, dark, light, accent }) =>
  shape(
    'M60 54 l8 6 8 -6 8 6 8 -6 8 6 8 -6 8 6 8 -6 8 6 8 -6 8 6 8 -6 8 6 8 -6 8 6 V190 l-8 6 -8 -6 -8 6 -8 -6 -8 6 -8 -6 -8 6 -8 -6 -8 6 -8 -6 -8 6 -8 -6 -8 6 -8 -6 -8 6 Z',
    main,
  ) +
  ellipse(120, 106, 44, 24, '#fff') +
  rect(92, 100, 56, 10, 5, dark) +
  ellipse(104, 156, 24, 14, '#f3c865') +
  ellipse(140, 164, 22, 13, accent) +
  rect(68, 72, 104, 4, 0, light);

const chocolate: Draw = ({ main, dark, light, accent }) =>
  turned(
    -14,
    rect(74, 44, 92, 152, 6, '#5b3521'),
    repeat(6, (index) => rect(82 + (index % 2) * 40, 50 + Math.floor(index / 2) * 26, 34, 20, 3, '#7a4b31')),
    rect(70, 116, 100, 84, 4, main),
    rect(70, 116, 100, 10, 0, light),
    circle(120, 160, 18, accent),
    rect(100, 184, 40, 5, 2, dark),
  );

const dates: Draw = ({ main, dark, light, accent }) =>
  repeat(
    7,
    (index) =>
      `<g transform="rotate(${index * 25 - 75} ${72 + index * 16} 112)">${ellipse(72 + index * 16, 112, 11, 20, index % 2 === 0 ? '#6b3a1e' : '#8a4d28')}</g>`,
  ) +
  shape('M46 120 H194 Q190 190 120 190 Q50 190 46 120 Z', main) +
  shape('M46 120 H194 L192 134 H48 Z', light) +
  circle(120, 160, 12, accent) +
  rect(92, 188, 56, 8, 4, dark);

const honey: Draw = ({ main, dark, light, accent }) =>
  rect(82, 48, 76, 26, 6, dark) +
  shape('M80 74 H160 Q176 84 176 104 V180 Q176 198 158 198 H82 Q64 198 64 180 V104 Q64 84 80 74 Z', '#eda92e') +
  rect(64, 112, 112, 56, 0, '#fff') +
  shape('M120 120 l18 10 v20 l-18 10 -18 -10 v-20 Z', main) +
  circle(120, 140, 8, accent) +
  rect(72, 178, 96, 6, 3, light);

const fruit: Draw = ({ main, dark, accent }) =>
  line('M120 92 Q118 66 130 52', '#6b4a2b', 6) +
  shape('M128 70 Q150 44 176 58 Q164 86 128 70 Z', '#4c9a57') +
  shape(
    'M120 92 Q148 74 172 94 Q194 116 178 158 Q162 198 136 194 Q120 188 104 194 Q78 198 62 158 Q46 116 68 94 Q92 74 120 92 Z',
    main,
  ) +
  ellipse(86, 124, 9, 18, '#ffffff66') +
  circle(150, 168, 4, dark) +
  circle(140, 150, 3, accent);

const cleaner: Draw = ({ main, dark, light, accent }) =>
  shape('M84 46 H138 Q146 46 146 54 V62 H112 L84 58 Z', dark) +
  line('M136 62 Q150 70 146 88', dark, 7) +
  rect(104, 62, 26, 24, 3, light) +
  shape('M104 86 H130 Q162 96 162 124 V188 Q162 200 150 200 H92 Q80 200 80 188 V120 Q80 96 104 86 Z', main) +
  rect(80, 132, 82, 44, 0, '#fff') +
  shape('M121 138 l5 11 11 5 -11 5 -5 11 -5 -11 -11 -5 11 -5 Z', accent) +
  circle(62, 50, 4, light) +
  circle(50, 60, 5, light) +
  circle(62, 70, 3, light);

const tissues: Draw = ({ main, dark, light, accent }) =>
  shape('M92 104 Q96 60 120 72 Q134 44 152 104 Z', '#fff') +
  rect(48, 100, 144, 90, 8, main) +
  ellipse(120, 104, 44, 9, dark) +
  shape('M96 104 Q104 78 120 84 Q136 70 146 104 Z', '#fff') +
  repeat(4, (index) => circle(72 + index * 32, 148, 10, index % 2 === 0 ? light : accent));

export const GROCERY_SHAPES = {
  carton,
  cup,
  cheese,
  bread,
  sack,
  oil,
  can,
  frozen,
  water,
  soda,
  coffee,
  chips,
  chocolate,
  dates,
  honey,
  fruit,
  cleaner,
  tissues,
};
