import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchReads } from './read-batching.ts';

type Row = { key: string; value: string };
type Statement = { keys: string[]; answer: (rows?: Row[]) => void; fail: (cause: Error) => void };

/** Statements that end when the test says so: each is kept as it is sent. */
function controlled(limits: { maxBatch?: number; parallel?: number } = {}) {
  const sent: Statement[] = [];
  const read = batchReads<string, Row>({
    load: (keys) =>
      new Promise((resolve, reject) => {
        const every = keys.map((key) => ({ key, value: `value of ${key}` }));
        sent.push({ keys, answer: (rows = every) => resolve(rows), fail: reject });
      }),
    keyOf: (row) => row.key,
    textOf: (key) => key,
    maxBatch: limits.maxBatch ?? 100,
    parallel: limits.parallel ?? 1,
  });
  const statement = (index: number): Statement => {
    const found = sent[index];
    if (found === undefined) throw new Error(`only ${sent.length} statements were sent`);
    return found;
  };
  return { read, sent, statement };
}

describe('when idle', () => {
  it('sends at once, before the caller goes on', () => {
    const { read, sent } = controlled();
    void read('a');
    expect(sent.map((one) => one.keys)).toEqual([['a']]);
  });

  it('sends as many single reads as there are slots', () => {
    const { read, sent } = controlled({ parallel: 3 });
    for (const key of ['a', 'b', 'c', 'd']) void read(key);
    expect(sent.map((one) => one.keys)).toEqual([['a'], ['b'], ['c']]);
  });
});

describe('while statements are under way', () => {
  it('collects keys into one statement and gives each caller its own row', async () => {
    const { read, sent, statement } = controlled();
    const first = read('a');
    const others = ['b', 'c', 'd'].map(read);
    expect(sent).toHaveLength(1);
    statement(0).answer();
    await first;
    expect(statement(1).keys).toEqual(['b', 'c', 'd']);
    statement(1).answer([
      { key: 'd', value: 'D' },
      { key: 'b', value: 'B' },
    ]);
    expect(await Promise.all(others)).toEqual([{ key: 'b', value: 'B' }, undefined, { key: 'd', value: 'D' }]);
  });

  it('serves keys in the order in which they came, a full batch at a time', async () => {
    const { read, sent, statement } = controlled({ maxBatch: 2 });
    const reads = ['a', 'b', 'c', 'd', 'e', 'f'].map(read);
    for (let index = 0; index < 4; index += 1) {
      if (index === 1) reads.push(read('late'));
      statement(index).answer();
      await reads[index * 2];
    }
    await Promise.all(reads);
    expect(sent.map((one) => one.keys)).toEqual([['a'], ['b', 'c'], ['d', 'e'], ['f', 'late']]);
  });

  it('asks once for a key that several callers wait for', async () => {
    const { read, statement } = controlled();
    const first = read('a');
    const twins = [read('b'), read('b'), read('b')];
    statement(0).answer();
    await first;
    expect(statement(1).keys).toEqual(['b']);
    statement(1).answer();
    expect(new Set(await Promise.all(twins)).size).toBe(1);
  });

  it('never joins a statement that was sent before the read came', async () => {
    const { read, statement } = controlled();
    const before = read('a');
    const after = read('a');
    statement(0).answer([]);
    expect(await before).toBeUndefined();
    statement(1).answer();
    expect(await after).toEqual({ key: 'a', value: 'value of a' });
  });
});

describe('when a statement fails', () => {
  it('rejects every caller of that statement and no other, and continues', async () => {
    const { read, statement } = controlled();
    const first = read('a');
    const doomed = [read('b'), read('b'), read('c')];
    statement(0).answer();
    await first;
    const spared = read('d');
    statement(1).fail(new Error('connection lost'));
    const outcomes = await Promise.allSettled(doomed);
    expect(outcomes.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
      Array(3).fill('Error: connection lost'),
    );
    statement(2).answer();
    expect(await spared).toEqual({ key: 'd', value: 'value of d' });
    const again = read('b');
    statement(3).answer();
    expect(await again).toEqual({ key: 'b', value: 'value of b' });
  });

  it('survives a loader that throws before it returns a promise', async () => {
    let calls = 0;
    const read = batchReads<string, Row>({
      load: (keys) => {
        calls += 1;
        if (calls === 1) throw new Error('not even sent');
        return Promise.resolve(keys.map((key) => ({ key, value: key })));
      },
      keyOf: (row) => row.key,
      textOf: (key) => key,
      maxBatch: 10,
      parallel: 1,
    });
    await expect(read('a')).rejects.toThrow('not even sent');
    expect(await read('a')).toEqual({ key: 'a', value: 'a' });
  });
});

it('keeps its limits and answers every read, whatever the order of reads and answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, keys, parallel, maxBatch) => {
        let running = 0;
        const read = batchReads<number, { id: number }>({
          load: async (batch) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(parallel);
            expect(batch.length).toBeLessThanOrEqual(maxBatch);
            expect(new Set(batch).size).toBe(batch.length);
            await scheduler.schedule(Promise.resolve());
            running -= 1;
            return batch.filter((id) => id % 2 === 0).map((id) => ({ id }));
          },
          keyOf: (row) => row.id,
          textOf: String,
          maxBatch,
          parallel,
        });
        const answers = keys.map((key) => scheduler.schedule(Promise.resolve()).then(() => read(key)));
        expect(await scheduler.waitFor(Promise.all(answers))).toEqual(
          keys.map((key) => (key % 2 === 0 ? { id: key } : undefined)),
        );
      },
    ),
    { numRuns: 200 },
  );
});
