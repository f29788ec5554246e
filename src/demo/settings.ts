import { ConfigError, type SettingReader } from '../platform/config.ts';

export type DemoSettings = {
  /** Whether an empty database is filled with the demo at the start. */
  load: boolean;
  /** Whether orders keep coming in while the service runs with demo data. */
  simulate: boolean;
  /** The same seed gives the same data on the same day. */
  seed: number;
};

export const DEFAULT_SEED = 2026;

/** `static`: with the demo data, without the simulator. A database of the operator's own is not filled unless asked. */
export function readDemoSettings({ flag, optional, integer }: SettingReader): DemoSettings {
  const raw = optional('DUKKAN_DEMO');
  const isStatic = raw?.toLowerCase() === 'static';
  const load = isStatic || readFlag(raw, () => flag('DUKKAN_DEMO', optional('DATABASE_URL') === undefined));
  return { load, simulate: load && !isStatic, seed: integer('DUKKAN_DEMO_SEED', DEFAULT_SEED, 0, 2 ** 31 - 1) };
}

function readFlag(raw: string | undefined, read: () => boolean): boolean {
  try {
    return read();
  } catch {
    throw new ConfigError(`DUKKAN_DEMO must be true, false or static, not "${raw}"`);
  }
}
