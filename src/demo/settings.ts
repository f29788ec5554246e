import type { SettingReader } from '../platform/config.ts';

export type DemoSettings = {
  /** Whether an empty database is filled with the demo at the start. */
  load: boolean;
};

/** A database of the operator's own is not filled unless asked. */
export function readDemoSettings({ flag, optional }: SettingReader): DemoSettings {
  return { load: flag('DUKKAN_DEMO', optional('DATABASE_URL') === undefined) };
}
