import { DAY, type Hours } from './week.ts';
import { AXIS } from './week-axis.tsx';

export const STEP = 15;
export const LEAST = STEP;
export type Side = 'open' | 'close' | 'both';

/** The hours after dragging an end or the whole. They open within their day and are at most 24 hours long. */
export function pulled({ open, close }: Hours, side: Side, at: number, by: number): Hours {
  switch (side) {
    case 'open':
      return { open: Math.max(0, close - DAY, Math.min(at, DAY - STEP, close - LEAST)), close };
    case 'close':
      return { open, close: Math.max(open, Math.min(at, AXIS, open + DAY)) };
    case 'both': {
      const moved = Math.max(-open, Math.min(by, DAY - STEP - open));
      return { open: open + moved, close: close + moved };
    }
  }
}

export const snapped = (minute: number) => Math.round(minute / STEP) * STEP;
