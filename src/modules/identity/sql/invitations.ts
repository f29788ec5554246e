import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { StandingRow } from './team.ts';

export type InvitationRow = StandingRow & {
  organization_id: string;
  id: string;
  email: string;
  /** Made by the operator, who hands the link over to the person whose address it is. */
  by_operator: boolean;
  expires_at: Date;
  ended_at: Date | null;
};

export async function insertInvitation(
  tx: Tx,
  organizationId: string,
  invitation: StandingRow & {
    id: string;
    email: string;
    byOperator: boolean;
    hash: Buffer;
    expiresAt: Date;
    now: Date;
  },
): Promise<void> {
  await tx`
    insert into invitations (organization_id, id, email, role, branch_id, grants_added, grants_withheld,
      by_operator, token_hash, expires_at, created)
    values (${organizationId}, ${invitation.id}, ${invitation.email}, ${invitation.role}, ${invitation.branch_id},
            ${invitation.grants_added}, ${invitation.grants_withheld}, ${invitation.byOperator}, ${invitation.hash},
            ${invitation.expiresAt}, ${invitation.now})`;
}

export async function findInvitation(sql: Queryable, hash: Buffer): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select organization_id, id, email, role, branch_id, grants_added, grants_withheld, by_operator, expires_at,
           ended_at
    from invitations where token_hash = ${hash}`;
  return row;
}

/** The one that ended it: of two who come at once the second finds nothing left. */
export async function endInvitation(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Date,
): Promise<StandingRow | undefined> {
  const [row] = await tx<StandingRow[]>`
    update invitations set ended_at = ${now}
    where organization_id = ${organizationId} and id = ${id} and ended_at is null and expires_at > ${now}
    returning role, branch_id, grants_added, grants_withheld`;
  return row;
}

/** So that the address may be invited again. */
export async function endExpiredInvitation(tx: Tx, organizationId: string, email: string, now: Date): Promise<void> {
  await tx`
    update invitations set ended_at = ${now}
    where organization_id = ${organizationId} and lower(email) = lower(${email}) and ended_at is null
      and expires_at <= ${now}`;
}

export async function dropInvitations(sql: Queryable, expiredBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from invitations where (organization_id, id) in (
      select organization_id, id from invitations where expires_at < ${expiredBefore}
      limit ${batch} for update skip locked)`;
  return dropped.count;
}
