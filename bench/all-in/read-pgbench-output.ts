/** The transactions and their rate in the summary that pgbench prints, connecting not included. */
export function readPgbenchOutput(text: string): { count: number; perSecond: number } {
  const count = Number(/^number of transactions actually processed: (\d+)/m.exec(text)?.[1]);
  const perSecond = Number(
    /^tps = ([\d.]+) \((?:without initial connection time|excluding connections establishing)/m.exec(text)?.[1],
  );
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(text)?.[1] ?? 0);
  if (!(count > 0) || !(perSecond > 0) || failed > 0) throw new Error(`pgbench did not succeed:\n${text}`);
  return { count, perSecond };
}
