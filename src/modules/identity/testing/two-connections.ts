import { randomUUID } from 'node:crypto';
import {
  type Call,
  call,
  type Reply,
  type ReplyBody,
  type TestAccount,
  type TestOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';

/** A service with two connections in total: a request that held one and waited for a second would hang in it. */
export async function twoConnections() {
  const clock = movableClock(new Date());
  const service = await testService({ DATABASE_POOL_SIZE: '2', LOGIN_RATE_LIMIT_PER_MINUTE: '0' }, { clock });
  return {
    service,
    clock,
    ask: (target: string, options: Call = {}) => call(service.baseUrl, target, options),
    /** How many statements wait for a lock. */
    async waiters(): Promise<number> {
      const rows = await service.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length;
    },
    async memberOf({ id }: TestOrganization, { userId }: TestAccount): Promise<string> {
      const [row] = await service.sql<{ id: string }[]>`
        select id from memberships where organization_id = ${id} and user_id = ${userId}`;
      return row?.id ?? '';
    },
    async auditedAs({ id }: TestOrganization, action: string): Promise<number> {
      const rows = await service.sql`select from audit_entries where organization_id = ${id} and action = ${action}`;
      return rows.length;
    },
  };
}

export const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The number of replies by status. */
export function tally(replies: readonly Reply<ReplyBody>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export const invitee = () => ({ email: `${randomUUID()}@tests.example`, role: 'member' });
