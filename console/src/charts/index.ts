export { type Bar, Bars } from './bars.tsx';
export { Sparkline } from './sparkline.tsx';
export { FanChart, type Point, TimeChart } from './time-chart.tsx';
