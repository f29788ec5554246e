import type { FastifyBaseLogger } from 'fastify';
import { DatabaseBusy } from '../../platform/database/index.ts';
import { within } from '../../platform/within.ts';
import type { DashboardReader } from './dashboard-reader.ts';
import type { RangeDays } from './range.ts';
import { openReadings, type Readings, type Sources } from './readings.ts';
import type { SectionName } from './section-names.ts';
import { readActivity } from './sections/activity.ts';
import { readAlerts } from './sections/alerts.ts';
import { readApps } from './sections/apps.ts';
import { readConsumption } from './sections/consumption.ts';
import { readPosts } from './sections/posts.ts';
import { readProducts } from './sections/products.ts';
import { readSensy } from './sections/sensy.ts';
import { readSummary } from './sections/summary.ts';
import { readTrends } from './sections/trends.ts';

const READERS: Record<SectionName, (readings: Readings) => Promise<unknown>> = {
  summary: readSummary,
  trends: readTrends,
  apps: readApps,
  alerts: readAlerts,
  activity: readActivity,
  sensy: readSensy,
  consumption: readConsumption,
  products: readProducts,
  posts: readPosts,
};

/** The answer as text, to be shared by all who asked for it. What fails is told beside the sections that did not. */
export async function readDashboard(
  sources: Sources,
  log: FastifyBaseLogger,
  reader: DashboardReader,
  rangeDays: RangeDays,
  sections: readonly SectionName[],
): Promise<string> {
  const readings = openReadings(sources, reader, rangeDays);
  const data: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  const outcomes = await Promise.allSettled(
    sections.map((name) => inTime(sources.sectionTimeLimitMs, READERS[name](readings))),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const name = sections[index] as SectionName;
    if (outcome.status === 'rejected') {
      log.error({ err: outcome.reason, section: name, organizationId: reader.organizationId }, 'a section failed');
      errors[name] = reasonFor(outcome.reason);
    } else if (!isEmpty(outcome.value)) {
      data[name] = outcome.value;
    }
  }
  return JSON.stringify({
    organization_id: reader.organizationId,
    range_days: rangeDays,
    fetched_at: readings.now.toISOString(),
    data,
    ...(Object.keys(errors).length > 0 && { errors }),
  });
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

class TookTooLong extends Error {
  readonly limitMs: number;
  constructor(limitMs: number) {
    super(`a section took longer than ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return within(limitMs, work, () => {
    throw new TookTooLong(limitMs);
  });
}

/** What a client can do something with; the cause is for the log. */
function reasonFor(cause: unknown): string {
  if (cause instanceof TookTooLong) return `This section took longer than ${cause.limitMs / 1_000} seconds`;
  if (cause instanceof DatabaseBusy) return 'The service is busy; try again in a moment';
  return 'This section could not be read';
}
