export const EVENT_TYPES = [
  'order.cancelled',
  'order.created',
  'order.deleted',
  'order.departed',
  'order.invoiced',
  'order.refunded',
  'order.status_changed',
  'order.updated',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_SPEC_VERSION = '2026-09-29';
