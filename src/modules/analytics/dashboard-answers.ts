import type { FastifyBaseLogger } from 'fastify';
import { createTenantCache } from '../../platform/tenant-cache.ts';
import { encodeUtf8 } from '../../platform/text/encode-utf8.ts';
import { billingDay } from '../commercial/billing/index.ts';
import { tenantPosition } from '../events/index.ts';
import { latestSalesVersion } from '../sales/index.ts';
import type { DashboardViewer } from './dashboard-viewer.ts';
import { periodsOf } from './days.ts';
import type { RangeDays } from './range.ts';
import { type Dashboard, type DashboardSources, readDashboard } from './read-dashboard.ts';
import type { Alert } from './schema.ts';
import type { SectionName } from './sections/section-names.ts';
import { createSharedReads } from './shared-reads.ts';
import { type DashboardState, readDashboardState } from './sql/dashboard-changes.ts';

/** A dashboard of a year is some 60 kB. */
const LIMITS = { maxBytes: 16 * 1024 * 1024, maxBytesPerTenant: 1024 * 1024 };

/** Alerts that have the time of the request. */
const DATED_BY_REQUEST: ReadonlySet<string> = new Set(['cancellation_spike', 'overdue_fee']);

type CachedAnswer = Omit<DashboardState, 'is_unchanged'> & { validUntil: Date | null; rest: Buffer };

/**
 * Answers of the dashboard, cached until a source changes. One statement compares the versions of sales and events and looks for
 * changes of anything else that the cached answer could not see, so an answer is never older than the last commit, of any process.
 * What the clock changes is part of the key (the day) or ends the entry (posts). Callers with the same key share the work and the bytes.
 */
export function createDashboardAnswers(sources: DashboardSources, log: FastifyBaseLogger) {
  const { sql, clock } = sources;
  const cache = createTenantCache<CachedAnswer>(LIMITS);
  const share = createSharedReads<Buffer>();

  async function answer(
    key: string,
    now: Date,
    viewer: DashboardViewer,
    rangeDays: RangeDays,
    sections: readonly SectionName[],
  ): Promise<Buffer> {
    const { organizationId } = viewer;
    const head = `{"organization_id":"${organizationId}","range_days":${rangeDays},"fetched_at":"`;
    cache.touch(organizationId);
    const known = cache.get(organizationId, key);
    // Without the database every section fails on its own and is named in the answer.
    const versions = { sales: latestSalesVersion(sql, organizationId), position: tenantPosition(sql, organizationId) };
    const state = await readDashboardState(sql, organizationId, known?.snapshot ?? null, versions).catch(
      () => undefined,
    );
    if (known !== undefined && state !== undefined && isCurrent(known, state, now)) {
      known.snapshot = state.snapshot;
      return withTime(head, now, known.rest);
    }
    const dashboard = await readDashboard(sources, log, viewer, rangeDays, sections);
    const rest = writeRest(dashboard);
    if (state !== undefined && isCacheable(dashboard)) {
      const validUntil = sections.includes('posts') ? await sources.readNextPostChange(dashboard.now) : null;
      const { snapshot, sales, position } = state;
      cache.set(organizationId, key, { snapshot, sales, position, validUntil, rest }, rest.length);
    }
    return withTime(head, dashboard.now, rest);
  }

  return (viewer: DashboardViewer, rangeDays: RangeDays, sections: readonly SectionName[]): Promise<Buffer> => {
    const { organizationId, branchId, timeZone, readable } = viewer;
    const now = clock.now();
    const days = [periodsOf(now, timeZone, rangeDays).to, billingDay(now)];
    const key = [organizationId, branchId, timeZone, ...days, [...readable], rangeDays, ...sections].join(' ');
    return share(key, () => answer(key, now, viewer, rangeDays, sections));
  };
}

function isCurrent(known: CachedAnswer, state: DashboardState, now: Date): boolean {
  if (state.is_unchanged !== true || known.sales !== state.sales || known.position !== state.position) return false;
  return known.validUntil === null || now < known.validUntil;
}

function isCacheable({ data, errors }: Dashboard): boolean {
  if (Object.keys(errors).length > 0) return false;
  const alerts = (data.alerts ?? []) as Alert[];
  return !alerts.some(({ kind }) => DATED_BY_REQUEST.has(kind));
}

/** The answer from the end of its time on. */
function writeRest({ data, errors }: Dashboard): Buffer {
  const rest = { data, ...(Object.keys(errors).length > 0 && { errors }) };
  return encodeUtf8(`",${JSON.stringify(rest).slice(1)}`);
}

function withTime(head: string, now: Date, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(head + now.toISOString()), rest]);
}
