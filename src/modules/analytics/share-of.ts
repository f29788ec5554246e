/** From 0 to 1, to the fourth decimal; 0 when the total is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
