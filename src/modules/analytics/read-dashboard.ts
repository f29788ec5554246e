import type { FastifyBaseLogger } from 'fastify';
import { DatabaseBusy } from '../../platform/database/index.ts';
import { within } from '../../platform/within.ts';
import type { DashboardViewer } from './dashboard-viewer.ts';
import type { RangeDays } from './range.ts';
import { createSectionContext, type Sources } from './section-context.ts';
import type { SectionName } from './sections/section-names.ts';
import type { SectionReaders } from './sections/section-readers.ts';

export type DashboardSources = Sources & { readers: SectionReaders };

export type Dashboard = { data: Record<string, unknown>; errors: Record<string, string>; now: Date };

/** A section that fails is named in `errors`; the others are answered. */
export async function readDashboard(
  sources: DashboardSources,
  log: FastifyBaseLogger,
  viewer: DashboardViewer,
  rangeDays: RangeDays,
  sections: readonly SectionName[],
): Promise<Dashboard> {
  const context = createSectionContext(sources, viewer, rangeDays);
  const data: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  const outcomes = await Promise.allSettled(
    sections.map((name) => inTime(sources.sectionTimeLimitMs, sources.readers[name](context))),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const name = sections[index] as SectionName;
    if (outcome.status === 'rejected') {
      log.error(
        { err: outcome.reason, section: name, organizationId: viewer.organizationId },
        'a dashboard section failed',
      );
      errors[name] = reasonFor(outcome.reason);
    } else if (!isEmpty(outcome.value)) {
      data[name] = outcome.value;
    }
  }
  return { data, errors, now: context.now };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

class SectionTimeout extends Error {
  readonly limitMs: number;
  constructor(limitMs: number) {
    super(`a section took longer than ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return within(limitMs, work, () => {
    throw new SectionTimeout(limitMs);
  });
}

/** The reason for the client; the cause is logged. */
function reasonFor(cause: unknown): string {
  if (cause instanceof SectionTimeout) return `This section took longer than ${cause.limitMs / 1_000} seconds`;
  if (cause instanceof DatabaseBusy) return 'The service is busy; try again in a moment';
  return 'This section could not be read';
}
