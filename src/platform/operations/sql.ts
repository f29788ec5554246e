import type { Piece, Queryable, Tx } from '../database/index.ts';

/** A call to a vendor in progress, or interrupted when its process died. */
export type Operation<Input = unknown> = {
  organization_id: string;
  kind: string;
  /** The order or payment link it changes. At most one operation per kind and subject exists. */
  subject_id: string;
  /** May be sent to the vendor. */
  id: string;
  input: Input;
  attempts: number;
  lease_until: Date;
  created: Date;
};

export type OperationKey = Pick<Operation, 'organization_id' | 'kind' | 'subject_id'>;

/** False if the subject already has one. */
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

/** The oldest operation on any of several subjects of one kind. */
export async function findOperationOnAny<Input>(
  sql: Queryable,
  { organization_id, kind }: Pick<OperationKey, 'organization_id' | 'kind'>,
  subjectIds: readonly string[],
): Promise<Operation<Input> | undefined> {
  const [row] = await sql<Operation<Input>[]>`
    select * from external_operations
    where organization_id = ${organization_id} and kind = ${kind} and subject_id = any(${[...subjectIds]}::uuid[])
    order by created, subject_id limit 1`;
  return row;
}

/** Deletes it. False if another attempt has claimed it: the caller then writes nothing. */
export async function settleOperation(sql: Queryable, operation: Operation): Promise<boolean> {
  const settled = await sql`
    delete from external_operations
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}
    returning 1`;
  return settled.length > 0;
}

/**
 * Leaves an operation whose outcome is unknown to the recovery loop, from `recoverAt` on, with the updated input. Requests may claim it
 * from `freeAt` on, by default the same moment.
 */
export async function abandonOperation(
  sql: Queryable,
  operation: Operation,
  { recoverAt, freeAt = recoverAt }: { recoverAt: Date; freeAt?: Date },
): Promise<void> {
  await sql`
    update external_operations
    set lease_until = ${freeAt}, recover_at = ${recoverAt}, input = ${JSON.stringify(operation.input)}
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}`;
}

/** Claims an operation whose lease has ended and replaces its input, if given; undefined if another process has claimed it. */
export async function claimOperation<Input>(
  sql: Queryable,
  operation: Operation<Input>,
  { now, leaseMs, input }: { now: Date; leaseMs: number; input?: Input },
): Promise<Operation<Input> | undefined> {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const [row] = await sql<Operation<Input>[]>`
    update external_operations set attempts = attempts + 1, lease_until = ${leaseUntil}, recover_at = null
      ${input === undefined ? sql`` : sql`, input = ${JSON.stringify(input)}`}
    where organization_id = ${operation.organization_id} and kind = ${operation.kind}
      and subject_id = ${operation.subject_id} and id = ${operation.id} and attempts = ${operation.attempts}
      and lease_until <= ${now}
    returning *`;
  return row;
}

/** For the due poll. */
export const isAnyExpired = (sql: Queryable, kind: string, now: Date): Piece => sql`
  exists (select from external_operations where kind = ${kind} and greatest(lease_until, recover_at) <= ${now})`;

/** Operations due for recovery, the oldest first, at most `ofTenant` per tenant. */
export function listExpired<Input>(
  sql: Queryable,
  { kind, now, limit, ofTenant }: { kind: string; now: Date; limit: number; ofTenant: number },
): Promise<Operation<Input>[]> {
  return sql<Operation<Input>[]>`
    select organization_id, kind, subject_id, id, input, attempts, lease_until, created from (
      select *, row_number() over (partition by organization_id order by greatest(lease_until, recover_at), id) as turn
      from external_operations where kind = ${kind} and greatest(lease_until, recover_at) <= ${now}
    ) o
    where turn <= ${ofTenant} order by greatest(lease_until, recover_at), id limit ${limit}`;
}
