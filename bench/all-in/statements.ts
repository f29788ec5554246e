import type { Sql } from '../../src/platform/database/index.ts';

export type StatementCost = {
  text: string;
  callsEach: number;
  rowsEach: number;
  usEach: number;
  walBytesEach: number;
  walImagesEach: number;
};

export type Statements = {
  reset(): Promise<void>;
  /** Of one database since the reset, per order. */
  read(database: string, orders: number): Promise<StatementCost[]>;
};

/** Undefined where the server was started without pg_stat_statements. */
export async function openStatements(sql: Sql): Promise<Statements | undefined> {
  const isLoaded = await sql`create extension if not exists pg_stat_statements`
    .then(() => sql`select from pg_stat_statements limit 1`)
    .then(
      () => true,
      () => false,
    );
  if (!isLoaded) return undefined;
  return {
    async reset() {
      await sql`select pg_stat_statements_reset()`;
    },
    read: (database, orders) => sql<StatementCost[]>`
      select regexp_replace(s.query, '\\s+', ' ', 'g') as text,
             sum(s.calls)::float8 / ${orders} as "callsEach", sum(s.rows)::float8 / ${orders} as "rowsEach",
             sum(s.total_exec_time + s.total_plan_time)::float8 * 1000 / ${orders} as "usEach",
             sum(s.wal_bytes)::float8 / ${orders} as "walBytesEach", sum(s.wal_fpi)::float8 / ${orders} as "walImagesEach"
      from pg_stat_statements s join pg_database d on d.oid = s.dbid
      where d.datname = ${database}
      group by 1`,
  };
}

const SHOWN = 20;
const TEXT_LENGTH = 150;

export function formatStatements(title: string, costs: StatementCost[]): string {
  return [
    `\n${title}: the ${SHOWN} statements with the most time in PostgreSQL (elapsed, so waits for locks and the disk are part of it)`,
    ...formatTop(costs, (cost) => cost.usEach),
    `\n${title}: the ${SHOWN} statements with the most WAL (page images included)`,
    ...formatTop(costs, (cost) => cost.walBytesEach),
  ].join('\n');
}

function formatTop(costs: StatementCost[], by: (cost: StatementCost) => number): string[] {
  const columns = ['us/order', 'WAL B/order', 'images/order', 'calls/order', 'rows/order'];
  const total = (name: 'usEach' | 'walBytesEach') => costs.reduce((sum, cost) => sum + cost[name], 0);
  const line = (cells: string[], text: string) =>
    `${cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0)).join('  ')}  ${text}`;
  return [
    line(columns, 'statement'),
    ...costs
      .toSorted((one, other) => by(other) - by(one))
      .slice(0, SHOWN)
      .map((cost) =>
        line(
          [
            cost.usEach.toFixed(1),
            cost.walBytesEach.toFixed(0),
            cost.walImagesEach.toFixed(3),
            cost.callsEach.toFixed(3),
            cost.rowsEach.toFixed(2),
          ],
          cost.text.trim().slice(0, TEXT_LENGTH),
        ),
      ),
    line([total('usEach').toFixed(1), total('walBytesEach').toFixed(0), '', '', ''], 'all statements'),
  ];
}
