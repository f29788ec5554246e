import { expect, it } from 'vitest';
import { parseProcessStat } from './postgres-cpu.ts';
import { readPgbenchOutput } from './read-pgbench-output.ts';

const PGBENCH = `pgbench (15.19 (Debian 15.19-0+deb12u1), server 18.4)
transaction type: pair.sql
number of transactions actually processed: 31234
number of failed transactions: 0 (0.000%)
latency average = 4.100 ms
initial connection time = 81.102 ms
tps = 7804.512 (without initial connection time)
`;

it('reads the rate and the number of transactions that pgbench prints', () => {
  expect(readPgbenchOutput(PGBENCH)).toEqual({ count: 31_234, perSecond: 7804.512 });
});

it('refuses a run of pgbench with failed transactions or none', () => {
  expect(() => readPgbenchOutput(PGBENCH.replace('failed transactions: 0', 'failed transactions: 3'))).toThrow(
    'pgbench did not succeed',
  );
  expect(() => readPgbenchOutput('number of transactions actually processed: 0\n')).toThrow('pgbench did not succeed');
});

it('counts the fields of a process from the end of its name, which may hold spaces and parentheses', () => {
  const stat = '4711 (postgres: (a) b) S 42 1 1 0 -1 4194560 100 0 0 0 250 50 1000 200 20 0 1 0 5000';
  expect(parseProcessStat(stat)).toEqual({
    command: 'postgres: (a) b',
    parent: '42',
    ownTicks: 300,
    endedChildrenTicks: 1_200,
  });
});
