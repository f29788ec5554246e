/**
 * How often a test repeats what it does: in a usual run, and with `TEST_LONG=1`, which takes the larger number. Both cover the same kinds
 * of cases.
 */
export function amount({ usual, long }: { usual: number; long: number }): number {
  return process.env.TEST_LONG === '1' ? long : usual;
}
