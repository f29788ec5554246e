import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Core seconds since the start of the machine. */
export type Cores = {
  worked: number;
  /** Kept by the host for its other guests, while there was work. Only Linux tells; elsewhere none. */
  stolen: number;
};

/** As `/proc/stat` counts: a hundredth of a second, of one core. */
const TICKS_A_SECOND = 100;
const LOOK_EVERY_MS = 2_000;
const PATIENCE_MS = 180_000;
/** Of what there is to do. */
const MOST_STOLEN = 0.25;

export function readCores(read = readTicks): Cores {
  const [first = ''] = read().split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = first.trim().split(/\s+/).slice(1).map(Number);
  return { worked: (user + nice + system) / TICKS_A_SECOND, stolen: steal / TICKS_A_SECOND };
}

/** Until the host leaves this machine at least three quarters of what it asks for, or has not for three minutes. */
export async function machineBack(read = readCores, lookEveryMs = LOOK_EVERY_MS): Promise<void> {
  const patientUntilMs = performance.now() + PATIENCE_MS;
  for (let before = read(); performance.now() < patientUntilMs; ) {
    await wait(lookEveryMs);
    const now = read();
    const stolen = now.stolen - before.stolen;
    if (stolen <= (stolen + now.worked - before.worked) * MOST_STOLEN) return;
    before = now;
  }
}

function readTicks(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}
