import type { Row } from '@dukkan/sdk';

export type Lead = Row<'listLeads'>;
