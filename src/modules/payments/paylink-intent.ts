import type { Operation, OperationKey } from '../../platform/operations/index.ts';

export type CaptureIntent = {
  action: 'capture';
  amount: number;
  /** Distinguishes a repeat from a second capture if the provider accepts no reference. */
  capturedBefore: number;
  requestKey: string | null;
  /** When the provider was last called. */
  sentAt: string;
};

/** The call to the provider; the operation's id is its reference. */
export type PaylinkIntent = { action: 'create' } | CaptureIntent | { action: 'cancel' };

export const PAYLINK_OPERATION = 'paylink';

export type CaptureOperation = Operation<CaptureIntent>;
export type PaylinkOperation = Operation<PaylinkIntent>;

export const operationKey = ({ organizationId, id }: { organizationId: string; id: string }): OperationKey => ({
  organization_id: organizationId,
  kind: PAYLINK_OPERATION,
  subject_id: id,
});
