/** Prints what was counted. True when everything from `firstFault` on is 0. */
export function reportFigures(figures: Record<string, number>, firstFault: string): boolean {
  console.table(figures);
  const names = Object.keys(figures);
  return names.slice(names.indexOf(firstFault)).every((name) => figures[name] === 0);
}
