import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { type AllInCase, CASES } from './all-in/cases.ts';
import { compareResults } from './all-in/compare.ts';
import { type AllInContext, openContext } from './all-in/context.ts';
import { type AllInResult, type Round, summarizeCase, type WriterName } from './all-in/figures.ts';
import { measureWriter, type Writer } from './all-in/measure.ts';
import { formatStatements, type StatementCost } from './all-in/statements.ts';
import { formatAllIn, isBusy } from './all-in/table.ts';
import { chooseCases, type Pace } from './frame/define-bench.ts';
import { defineReport, type ReportOptions } from './frame/define-report.ts';
import { GIVEN_SERVER } from './frame/given-server.ts';

const PACE: Pace = { rounds: 5, seconds: 6, warmUpSeconds: 5 };
const COMMITTED = new URL('./results/all-in.json', import.meta.url);

/** What an order costs with everything that follows it, against two baselines that have none of the service's own code. */
export default defineReport('all-in', async (options, onProgress, open) => {
  const pace = options.paceOf(PACE);
  const [loadBefore = 0] = loadavg();
  const cases = chooseCases(CASES, options.only ?? '');
  const context = await openContext(await open(), { statements: options.statements });
  const { rounds, statements } = await measureRounds(context, cases, pace, onProgress);
  const result: AllInResult = {
    server: context.server,
    pair: context.pair,
    wal: context.meters.wal.description,
    cores: availableParallelism(),
    loadBefore,
    roundsEach: pace.rounds,
    seconds: pace.seconds,
    cases: cases.map(({ name }) => summarizeCase(name, rounds.get(name) ?? [])),
  };
  const committed = await readCommitted();
  return {
    text: [
      formatAllIn(result),
      ...(committed !== undefined && isBusy(committed)
        ? [
            `The committed result is of a busy machine (load ${committed.loadBefore}): save a new one on an idle machine.`,
          ]
        : []),
      ...[...statements].map(([name, costs]) => formatStatements(name, costs)),
      ...(options.statements && context.statements === undefined ? ['The server has no pg_stat_statements.'] : []),
    ].join('\n'),
    figures: result,
    misses: [],
    failures: [
      ...failedRequests(result),
      ...(committed !== undefined && isComparable(options) ? compareResults(committed, result) : []),
    ],
  };
});

/** Pair, bare server and service take turns within each case: a slow minute of the machine affects all three. Statements are of the last round. */
async function measureRounds(
  context: AllInContext,
  cases: AllInCase[],
  pace: Pace,
  onProgress: (text: string) => void,
): Promise<{ rounds: Map<string, Round[]>; statements: Map<string, StatementCost[]> }> {
  const rounds = new Map(cases.map(({ name }) => [name, [] as Round[]]));
  const statements = new Map<string, StatementCost[]>();
  for (let round = 0; round <= pace.rounds; round += 1) {
    const seconds = round === 0 ? pace.warmUpSeconds : pace.seconds;
    for (const entry of cases) {
      const measure = (name: WriterName, more: Partial<Writer> = {}) => {
        onProgress(`${round === 0 ? 'warm-up' : `round ${round} of ${pace.rounds}`}: ${entry.name}, ${name}`);
        return measureWriter(context.meters, { ...context.writerOf(name, entry), ...more }, seconds);
      };
      const pair = await measure('pair');
      const bare = await measure('bare');
      await context.statements?.reset();
      const service = await measure('service', {
        async onCaughtUp(orders) {
          const costs = await context.statements?.read(context.serviceDatabase, orders);
          if (costs !== undefined) statements.set(entry.name, costs);
        },
      });
      if (round > 0) rounds.get(entry.name)?.push({ pair, bare, service });
    }
  }
  return { rounds, statements };
}

function failedRequests({ cases }: AllInResult): string[] {
  return cases.flatMap(({ name, rounds }) =>
    rounds.flatMap((round) =>
      Object.entries(round)
        .filter(([, { failed }]) => failed > 0)
        .map(([writer, { failed, firstFailure }]) => `${name}, ${writer}: ${failed} requests failed: ${firstFailure}`),
    ),
  );
}

/** Half a second is too short, profiles and statement statistics slow the service down, and another server has other figures. */
function isComparable({ quick, profile, statements }: ReportOptions): boolean {
  return !quick && profile === undefined && !statements && GIVEN_SERVER === undefined;
}

async function readCommitted(): Promise<AllInResult | undefined> {
  const text = await readFile(COMMITTED, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as AllInResult);
}
