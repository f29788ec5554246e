import { listDeadLettered, requestDeadLetterRetry } from '../modules/events/index.ts';
import type { Platform } from '../platform/platform.ts';
import { defineCommand } from './command.ts';
import { formatTable } from './format-text.ts';

const LISTED = 1_000;

/** Events that a follower could not process, the latest first. */
export async function showDeadLettered({ sql }: Platform) {
  return { dead_letters: await listDeadLettered(sql, LISTED) };
}

/** Has them taken in again by the workers that run, or that are started next. What fails again is left aside again. */
export async function retryDeadLettered({ sql }: Platform, follower?: string) {
  return { asked_for: await requestDeadLetterRetry(sql, follower) };
}

const showDeadLetteredEvents = defineCommand({
  name: 'events dead-letters',
  summary: `events that a follower could not process, the latest ${LISTED} first`,
  example: 'events dead-letters',
  async run(surroundings) {
    const value = await showDeadLettered(await surroundings.platform());
    const columns = [
      'follower',
      'position',
      'organization_id',
      'event_id',
      'dead_lettered_at',
      'retry_asked',
      'error',
    ] as const;
    return {
      value,
      text: value.dead_letters.length === 0 ? 'There are no dead letters.' : formatTable(columns, value.dead_letters),
    };
  },
});

const retryDeadLetteredEvents = defineCommand({
  name: 'events retry',
  summary: 'have what was left aside taken in again',
  argument: { name: 'FOLLOWER', meaning: 'only what this follower left aside, such as sales', required: false },
  example: 'events retry sales',
  run: async (surroundings, { argument }) => ({
    value: await retryDeadLettered(await surroundings.platform(), argument),
  }),
});

export const EVENT_COMMANDS = [showDeadLetteredEvents, retryDeadLetteredEvents];
