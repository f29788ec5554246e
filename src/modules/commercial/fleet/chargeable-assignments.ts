import type { Tx } from '../../../platform/database/index.ts';
import type { ChargeableAssignment } from '../billing/index.ts';

/** The services of an organization's installs that are to be paid for: those whose status is active. */
export type ListChargeableAssignments = (tx: Tx, organizationId: string) => Promise<ChargeableAssignment[]>;

export { listChargeableAssignments } from '../billable-services/index.ts';
