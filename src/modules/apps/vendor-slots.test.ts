import { describe, expect, it } from 'vitest';
import { createVendorSlots, type SlotCaller } from './vendor-slots.ts';

const LONG_MS = 60_000;
const caller = (organizationId: string, install = 'a', host = `${organizationId}.test`): SlotCaller => ({
  organizationId,
  installId: `${organizationId}/${install}`,
  host,
});

/** So many at once, each let in or left waiting. */
async function enterMany(slots: ReturnType<typeof createVendorSlots>, who: SlotCaller, count: number) {
  const entered: (() => void)[] = [];
  for (let index = 0; index < count; index += 1) {
    void slots.enter(who, LONG_MS).then((leave) => leave && entered.push(leave));
  }
  await new Promise(setImmediate);
  return entered;
}

describe('slots', () => {
  it('are shared out by install, organization and host', async () => {
    const slots = createVendorSlots({ runningOfHost: 20 });
    expect(await enterMany(slots, caller('one', 'a'), 10)).toHaveLength(8);
    expect(await enterMany(slots, caller('one', 'b'), 10)).toHaveLength(8);
    expect(await enterMany(slots, caller('one', 'c'), 10)).toHaveLength(0);
    expect(await enterMany(slots, caller('two', 'a', 'one.test'), 10)).toHaveLength(4);
    expect(await enterMany(slots, caller('three'), 10)).toHaveLength(8);
  });

  it('are left for organizations with little under way, however many others are busy', async () => {
    const slots = createVendorSlots();
    for (let index = 0; index < 30; index += 1) {
      await enterMany(slots, caller(`busy${index % 6}`, String(index)), 16);
    }
    expect(slots.stats().running).toBe(96);
    expect(await enterMany(slots, caller('quiet'), 10)).toHaveLength(4);
  });

  it('that become free go round the organizations, and round the installs of each', async () => {
    const slots = createVendorSlots({ running: 1, reserve: 0 });
    const leave = await slots.enter(caller('zero'), LONG_MS);
    const order: string[] = [];
    const line = [caller('one', 'a'), caller('one', 'a'), caller('one', 'b'), caller('two'), caller('two')];
    const turns = line.map(async (who) => {
      const through = await slots.enter(who, LONG_MS);
      order.push(who.installId);
      through?.();
    });
    leave?.();
    await Promise.all(turns);
    expect(order).toEqual(['one/a', 'two/a', 'one/b', 'two/a', 'one/a']);
    expect(slots.stats()).toEqual({ running: 0, waiting: 0 });
  });

  it('have a line with an end, for all and for each', async () => {
    const slots = createVendorSlots({ running: 0, waiting: 5, waitingOfOrganization: 3, waitingOfInstall: 2 });
    await enterMany(slots, caller('one', 'a'), 3);
    expect(slots.stats().waiting).toBe(2);
    await enterMany(slots, caller('one', 'b'), 3);
    expect(slots.stats().waiting).toBe(3);
    await enterMany(slots, caller('two'), 9);
    await enterMany(slots, caller('three'), 9);
    expect(slots.stats().waiting).toBe(5);
    expect(await slots.enter(caller('four'), LONG_MS)).toBeUndefined();
  });

  it('are given up by whoever waited too long', async () => {
    const slots = createVendorSlots({ running: 0 });
    expect(await slots.enter(caller('one'), 5)).toBeUndefined();
    expect(slots.stats().waiting).toBe(0);
  });

  it('lets nobody in whose time is nearly over', async () => {
    const slots = createVendorSlots({ running: 1, reserve: 0 });
    const leave = await slots.enter(caller('one'), LONG_MS);
    const late = slots.enter(caller('two'), 50);
    const patient = slots.enter(caller('three'), LONG_MS);
    leave?.();
    expect(await late).toBeUndefined();
    (await patient)?.();
    expect(slots.stats()).toEqual({ running: 0, waiting: 0 });
  });
});
