import path from 'node:path';
import type { SettingReader } from '../../platform/config.ts';

export type ConsoleSettings = {
  /** The built console; absent: none is served. */
  folder: string | undefined;
};

const BUILT = path.resolve(import.meta.dirname, '../../../console/dist');

export function readConsoleSettings({ text }: SettingReader): ConsoleSettings {
  const given = text('DUKKAN_CONSOLE', BUILT);
  return { folder: given === 'off' ? undefined : path.resolve(given) };
}
