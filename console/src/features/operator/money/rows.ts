import type { Row } from '@dukkan/sdk';

export type Service = Row<'listBillableServices'>;
export type Assignment = Row<'listServiceAssignments'>;
