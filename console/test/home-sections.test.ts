import { describe, expect, it } from 'vitest';
import { keepFailed } from '../src/features/home/keep-failed.ts';

type Answer = Parameters<typeof keepFailed>[1];
const answer = (fetched_at: string, data: object, errors?: Record<string, string>) =>
  ({ organization_id: 'o', range_days: 30, fetched_at, data, ...(errors && { errors }) }) as Answer;

describe('sections of the dashboard', () => {
  it('keep the figures of the last good answer and its time while a section fails', () => {
    const good = keepFailed(undefined, answer('10:00', { trends: [1], apps: [2] }));
    const failed = keepFailed(good, answer('10:01', { apps: [3] }, { trends: 'timeout' }));
    expect(failed).toMatchObject({ data: { trends: [1], apps: [3] }, readAt: { trends: '10:00' } });
    const again = keepFailed(failed, answer('10:02', { apps: [4] }, { trends: 'timeout' }));
    expect(again).toMatchObject({ data: { trends: [1], apps: [4] }, readAt: { trends: '10:00' } });
    const healed = keepFailed(again, answer('10:03', { trends: [5], apps: [6] }));
    expect(healed).toMatchObject({ data: { trends: [5], apps: [6] }, readAt: {} });
  });

  it('have no figures when they failed from the start, and keep that a section was empty', () => {
    const failed = keepFailed(undefined, answer('10:00', {}, { trends: 'timeout' }));
    expect(keepFailed(failed, answer('10:01', {}, { trends: 'timeout' })).readAt).toEqual({});
    const empty = keepFailed(undefined, answer('10:00', {}));
    expect(keepFailed(empty, answer('10:01', {}, { trends: 'timeout' })).readAt).toEqual({ trends: '10:00' });
  });
});
