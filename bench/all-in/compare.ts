import type { AllInResult, CaseResult, Figures, RatioName } from './figures.ts';

/** A change for the worse of more than this share of the committed value fails the command. */
export const TOLERANCE = 0.1;

const RATIOS: Record<RatioName, string> = {
  answeredOfPair: 'answered orders/s against the minimal pair',
  settledOfPair: 'settled orders/s against the minimal pair',
  answeredOfBare: 'answered orders/s against the bare server',
  settledOfBare: 'settled orders/s against the bare server',
};

type Cost = 'nodeCpuUs' | 'postgresCpuUs' | 'walBytes' | 'walBytesWithoutImages';
const COSTS: Record<Cost, { title: string; unit: string }> = {
  nodeCpuUs: { title: 'CPU of Node an order', unit: 'us' },
  postgresCpuUs: { title: 'CPU of PostgreSQL an order', unit: 'us' },
  walBytes: { title: 'WAL an order with page images', unit: 'B' },
  walBytesWithoutImages: { title: 'WAL an order without page images', unit: 'B' },
};

/** One line per ratio that fell and per cost that grew beyond the tolerance. Cases that only one of the results has are skipped. */
export function compareResults(committed: AllInResult, current: AllInResult): string[] {
  // The driver writes fewer pairs than pgbench.
  const ratios = (Object.keys(RATIOS) as RatioName[]).filter(
    (name) => committed.pair === current.pair || !name.endsWith('OfPair'),
  );
  const skipped = incomparableCosts(committed, current);
  return current.cases.flatMap((found) => {
    const before = committed.cases.find(({ name }) => name === found.name);
    if (before === undefined) return [];
    return [...fallenRatios(before, found, ratios), ...grownCosts(before, found, skipped)];
  });
}

function fallenRatios(before: CaseResult, found: CaseResult, ratios: RatioName[]): string[] {
  return ratios.flatMap((name) => {
    const [old, now] = [before.ratios[name].median, found.ratios[name].median];
    if (now >= old * (1 - TOLERANCE)) return [];
    return [`${found.name}: ${RATIOS[name]} fell from ${old.toFixed(3)} to ${now.toFixed(3)} (${change(old, now)})`];
  });
}

function grownCosts(before: CaseResult, found: CaseResult, skipped: Cost[]): string[] {
  return (Object.keys(COSTS) as Cost[]).flatMap((name) => {
    if (skipped.includes(name)) return [];
    const [old, now] = [before.writers.service[name], found.writers.service[name]];
    if (old === undefined || now === undefined || now <= old * (1 + TOLERANCE)) return [];
    if (!hasShareGrown(before.writers, found.writers, name)) return [];
    const { title, unit } = COSTS[name];
    return [`${found.name}: ${title} grew from ${Math.round(old)} to ${Math.round(now)} ${unit} (${change(old, now)})`];
  });
}

/**
 * A longer measurement spreads the page images of one checkpoint over more orders. And the WAL of an order grows with the orders that are
 * there, from 21 to 29 kB within three rounds (probably by the trigram indexes: the bare server has none and stays at 3.2 kB). So a
 * run that writes for longer than the committed one is not compared.
 */
function incomparableCosts(committed: AllInResult, current: AllInResult): Cost[] {
  const lengthOf = ({ seconds, roundsEach, cases }: AllInResult) => seconds * roundsEach * cases.length;
  return [
    ...(committed.seconds === current.seconds ? [] : (['walBytes'] as const)),
    ...(lengthOf(current) <= lengthOf(committed) ? [] : (['walBytes', 'walBytesWithoutImages'] as const)),
  ];
}

/**
 * On a slower or busier machine the same work takes more CPU time, by the bare server as well. So CPU time has grown only where its share
 * of the bare server's has grown too. WAL is the same on every machine.
 */
function hasShareGrown(before: CaseResult['writers'], found: CaseResult['writers'], name: Cost): boolean {
  if (name === 'walBytes' || name === 'walBytesWithoutImages') return true;
  const share = ({ service, bare }: { service: Figures; bare: Figures }) => (service[name] ?? 0) / (bare[name] ?? 1);
  return share(found) > share(before) * (1 + TOLERANCE);
}

function change(old: number, now: number): string {
  const percent = Math.round((now / old - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}
