import { expect, it } from 'vitest';
import { createFanOut } from './fan-out.ts';

it('wakes one slice per event loop tick, round-robin by owner, with other work in between', async () => {
  const fanOut = createFanOut(2);
  const log: string[] = [];
  const readers = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => () => {
      log.push(`${name}${index}`);
    });
  let turns = 0;
  const countTurns = () => {
    if (log.at(-1) !== '|') log.push('|');
    turns += 1;
    if (turns < 20) setImmediate(countTurns);
  };
  const woken = [fanOut.wake({ tenant: 'a' }, readers('a', 5)), fanOut.wake({ tenant: 'b' }, readers('b', 2))];
  setImmediate(countTurns);
  await Promise.all(woken);
  expect(log).toEqual(['a0', 'a1', '|', 'b0', 'b1', '|', 'a2', 'a3', '|', 'a4']);
});

it('resolves at once without readers', async () => {
  await createFanOut(2).wake({}, []);
});
