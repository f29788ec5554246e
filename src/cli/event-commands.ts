import { askForParked, listParked } from '../modules/events/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Options } from './arguments.ts';

const LISTED = 1_000;

/** Events that a follower could not take in and has left aside, the latest first. */
export async function showParked({ sql }: Platform): Promise<unknown> {
  return { parked: await listParked(sql, LISTED) };
}

/** Has them taken in again by the workers that run, or that are started next. What fails again is left aside again. */
export async function retryParked({ sql }: Platform, _options: Options, words: string[]): Promise<unknown> {
  return { asked_for: await askForParked(sql, words[2]) };
}
