import type { Tone } from '../../../ui/index.ts';

const STATES: Record<string, Tone> = { active: 'good', suspended: 'bad', inactive: 'plain' };
const FEES: Record<string, Tone> = { pending: 'info', overdue: 'bad', paid: 'good', void: 'plain' };
const PAYMENTS: Record<string, Tone> = { succeeded: 'good', pending: 'info', failed: 'bad' };

export const stateTone = (state: string): Tone => STATES[state] ?? 'plain';
export const feeTone = (status: string): Tone => FEES[status] ?? 'plain';
export const paidTone = (status: string): Tone => PAYMENTS[status] ?? 'plain';
