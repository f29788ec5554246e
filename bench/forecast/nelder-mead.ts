/** Downhill simplex with the usual coefficients; `minimized` may answer Infinity outside of its bounds. */
export function nelderMead(
  minimized: (point: Float64Array) => number,
  start: readonly number[],
  steps: readonly number[],
  most: { evaluations: number; tolerance: number },
): { point: Float64Array; value: number } {
  const size = start.length;
  const points = Array.from({ length: size + 1 }, (_, corner) =>
    Float64Array.from(start, (value, axis) => (axis === corner - 1 ? value + (steps[axis] as number) : value)),
  );
  const values = points.map(minimized);
  let evaluations = points.length;
  const centre = new Float64Array(size);
  const tryAt = (factor: number, worst: Float64Array) => {
    evaluations += 1;
    const point = centre.map((value, axis) => value + factor * ((worst[axis] as number) - value));
    return { point, value: minimized(point) };
  };
  while (true) {
    let [best, worst] = [0, 0];
    for (let i = 1; i <= size; i += 1) {
      if ((values[i] as number) < (values[best] as number)) best = i;
      if ((values[i] as number) >= (values[worst] as number)) worst = i;
    }
    let second = best;
    for (let i = 0; i <= size; i += 1) {
      if (i !== worst && (values[i] as number) > (values[second] as number)) second = i;
    }
    const spread = (values[worst] as number) - (values[best] as number);
    if (evaluations >= most.evaluations || spread <= most.tolerance * (Math.abs(values[best] as number) + 1e-12)) {
      return { point: points[best] as Float64Array, value: values[best] as number };
    }
    centre.fill(0);
    points.forEach((point, i) => {
      if (i !== worst)
        for (let axis = 0; axis < size; axis += 1) (centre[axis] as number) += (point[axis] as number) / size;
    });
    const worstPoint = points[worst] as Float64Array;
    let candidate = tryAt(-1, worstPoint);
    if (candidate.value < (values[best] as number)) {
      const further = tryAt(-2, worstPoint);
      if (further.value < candidate.value) candidate = further;
    } else if (candidate.value >= (values[second] as number)) {
      candidate = tryAt(candidate.value < (values[worst] as number) ? -0.5 : 0.5, worstPoint);
      if (candidate.value >= (values[worst] as number)) {
        const bestPoint = points[best] as Float64Array;
        points.forEach((point, i) => {
          if (i === best) return;
          for (let axis = 0; axis < size; axis += 1)
            point[axis] = ((point[axis] as number) + (bestPoint[axis] as number)) / 2;
          values[i] = minimized(point);
          evaluations += 1;
        });
        continue;
      }
    }
    points[worst] = candidate.point;
    values[worst] = candidate.value;
  }
}
