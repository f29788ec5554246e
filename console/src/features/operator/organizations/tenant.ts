import type { Row } from '@dukkan/sdk';

export type Tenant = Row<'listFleetOrganizations'>;
