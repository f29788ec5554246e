import type { Tx } from '../../../platform/database/index.ts';
import type { ChargeableAssignment } from '../billing/index.ts';

/** Active service assignments of an organization's installs. */
export type ListChargeableAssignments = (tx: Tx, organizationId: string) => Promise<ChargeableAssignment[]>;

export { listChargeableAssignments } from '../billable-services/index.ts';
