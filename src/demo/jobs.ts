import { EXAMPLE_JOB_ID, finishJob, insertJob } from '../modules/jobs/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { DemoPeople } from './people.ts';

/** A finished job of the first shop with the id that the reference uses: there is no list of jobs to find one in. */
export async function seedJobs(tx: Tx, { logins, actors }: DemoPeople, now: Date): Promise<void> {
  const [organization] = logins.organizations;
  const owner = actors[0]?.owner;
  if (organization === undefined || owner === undefined) throw new Error('the demo has no first shop');
  const key = { organizationId: organization.id, id: EXAMPLE_JOB_ID };
  const job = { type: 'orders.create', resource: 'Orders' as const, inputText: '{}', inputBytes: 2, total: 2 };
  const startedAt = new Date(now.getTime() - 3_600_000);
  await insertJob(tx, { ...key, ...job, createdBy: owner.id, now: startedAt });
  const result = { succeeded: 2, failed: 0, errors: {} };
  await finishJob(tx, key, { status: 'succeeded', result }, new Date(startedAt.getTime() + 1_200));
}
