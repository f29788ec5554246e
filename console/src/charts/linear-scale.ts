type Interval = readonly [start: number, end: number];

/** Maps `domain` to `range` linearly. `scaleLinear` of d3-scale also interpolates colors and formats numbers, which adds 8 kB. */
export function linearScale(domain: Interval, range: Interval): (value: number) => number {
  const length = domain[1] - domain[0];
  return (value) => range[0] + (length === 0 ? 0.5 : (value - domain[0]) / length) * (range[1] - range[0]);
}
