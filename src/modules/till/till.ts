import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { OrderChannel } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';

/** Dependencies of the till rules. */
export type Till = { sql: Sql; clock: Clock; ordering: Ordering };

export const TILL = 'till';

/** Every organization has the till; it is not installed. */
export const TILL_CHANNEL: OrderChannel = {
  organization_app_id: '',
  app_slug: TILL,
  channel_family: 'till',
  channel_kind: 'point_of_sale',
};
