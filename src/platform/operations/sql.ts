import type { Queryable, Tx } from '../database/index.ts';

/** A call to a vendor that is under way, or was when its process died. */
export type Operation<Input = unknown> = {
  organization_id: string;
  kind: string;
  /** What it changes: an order, a payment link. One operation of a kind at a time. */
  subject_id: string;
  /** Its own id, under which a vendor may know it. */
  id: string;
  input: Input;
  attempts: number;
  lease_until: Date;
  created: Date;
};

export type OperationKey = Pick<Operation, 'organization_id' | 'kind' | 'subject_id'>;

/** False where there is one for the subject already. */
export async function insertOperation(tx: Tx, operation: Operation): Promise<boolean> {
  const inserted = await tx`
    insert into external_operations (organization_id, kind, subject_id, id, input, attempts, lease_until, created)
    values (${operation.organization_id}, ${operation.kind}, ${operation.subject_id}, ${operation.id},
            ${JSON.stringify(operation.input)}, ${operation.attempts}, ${operation.lease_until}, ${operation.created})
    on conflict do nothing returning 1`;
  return inserted.length > 0;
}

export async function findOperation<Input>(
  sql: Queryable,
  { organization_id, kind, subject_id }: OperationKey,
): Promise<Operation<Input> | undefined> {
  const [row] = await sql<Operation<Input>[]>`
    select * from external_operations
    where organization_id = ${organization_id} and kind = ${kind} and subject_id = ${subject_id}`;
  return row;
}

/** Ends it. False where another attempt has taken it over: the caller then writes nothing. */
export async function settleOperation(sql: Queryable, operation: Operation): Promise<boolean> {
  const settled = await sql`
    delete from external_operations
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}
    returning 1`;
  return settled.length > 0;
}

/** Its outcome is not known: it is recovered from then on, with what was learned. */
export async function abandonOperation(sql: Queryable, operation: Operation, retryAt: Date): Promise<void> {
  await sql`
    update external_operations set lease_until = ${retryAt}, input = ${JSON.stringify(operation.input)}
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}`;
}

/** Takes over an attempt whose lease has ended; nothing where another was quicker. */
export async function claimOperation<Input>(
  sql: Queryable,
  operation: Operation<Input>,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<Operation<Input> | undefined> {
  const [row] = await sql<Operation<Input>[]>`
    update external_operations set attempts = attempts + 1, lease_until = ${leaseUntil}
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}
      and lease_until <= ${now}
    returning *`;
  return row;
}

/** Those whose lease has ended, the longest ago first, and not more than so many of one tenant. */
export function listExpired<Input>(
  sql: Queryable,
  { kind, now, limit, ofTenant }: { kind: string; now: Date; limit: number; ofTenant: number },
): Promise<Operation<Input>[]> {
  return sql<Operation<Input>[]>`
    select organization_id, kind, subject_id, id, input, attempts, lease_until, created from (
      select *, row_number() over (partition by organization_id order by lease_until, id) as turn
      from external_operations where kind = ${kind} and lease_until <= ${now}
    ) o
    where turn <= ${ofTenant} order by lease_until, id limit ${limit}`;
}
