import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Random } from '../random.ts';

/** Something that happens to an order at a time. */
export type PlannedStep = { at: Date; run(): Promise<void> };

export type Simulation = {
  app: App;
  platform: Pick<Platform, 'sql' | 'clock' | 'log' | 'box'>;
  random: Random;
  plan(step: PlannedStep): void;
};
