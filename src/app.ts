import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import { withDemoBilling } from './demo/demo-seller.ts';
import { findDemoLogins, setDemoExamples } from './demo/index.ts';
import { demoLoginRoute } from './demo/login-route.ts';
import { demoReceiver } from './demo/receiver.ts';
import { createAnalytics, createSensy, forgetDashboardChanges } from './modules/analytics/index.ts';
import { createApps } from './modules/apps/index.ts';
import { auditRoutes, forgetOldEntries } from './modules/audit/index.ts';
import { branchRoutes } from './modules/branches/index.ts';
import { brandRoutes, categoryRoutes } from './modules/catalog-groups/index.ts';
import { serviceRoutes } from './modules/commercial/billable-services/index.ts';
import {
  commercialRoutes,
  foldCounts,
  listChargeableAssignments,
  scheduleBilling,
} from './modules/commercial/fleet/index.ts';
import { partnerRoutes } from './modules/commercial/partners/index.ts';
import { listPostsFor, postRoutes, readNextPostChange } from './modules/commercial/posts/index.ts';
import { serveConsole } from './modules/console/index.ts';
import { customerRoutes } from './modules/customers/index.ts';
import { createEvents } from './modules/events/index.ts';
import { fileRoutes } from './modules/files/index.ts';
import {
  createMetricsPage,
  createMetricsServer,
  type HealthSources,
  healthRoutes,
  metricsRoute,
  rootHealthRoute,
} from './modules/health/index.ts';
import {
  forgetOldTokens,
  installIdentity,
  limitTenants,
  RESOURCES,
  SESSION_HEADER,
  tenant,
  tenantOf,
} from './modules/identity/index.ts';
import { createTrackedJobs, jobsRoutes } from './modules/jobs/index.ts';
import { leadRoutes, pipelineRoutes } from './modules/leads/index.ts';
import { createOrdersModule, type Ordering } from './modules/orders/index.ts';
import { createPayments } from './modules/payments/index.ts';
import { productRoutes } from './modules/products/index.ts';
import { createSales } from './modules/sales/index.ts';
import { skuRoutes } from './modules/skus/index.ts';
import { createStaging } from './modules/staging/index.ts';
import { tillRoutes } from './modules/till/index.ts';
import { createWebhooks } from './modules/webhooks/index.ts';
import type { App } from './platform/http/app.ts';
import { forgetOldKeys, KEY_LIFETIME_MS } from './platform/http/idempotent-write.ts';
import type { Document } from './platform/http/openapi/document.ts';
import { installOpenApi } from './platform/http/openapi.ts';
import { tooManyRequests } from './platform/http/problem.ts';
import { createHttpServer } from './platform/http/server.ts';
import { inBackground, type Platform } from './platform/platform.ts';
import { isTracing, traceRequests } from './platform/tracing/index.ts';
import { apiReference } from './reference/index.ts';
import type { Settings } from './settings.ts';

const TAGS = [
  { name: 'Health', description: 'Liveness, health and telemetry' },
  { name: 'Identity', description: 'Login, tokens, API keys and the credentials check' },
  { name: 'Team', description: 'Members of an organization, their invitations, and what it says of itself' },
  { name: 'Support access', description: "Access of the operator's staff to an organization, with its consent" },
  { name: 'Audit', description: 'Who changed what' },
  { name: 'Orders', description: 'Orders of every channel and their change feed' },
  { name: 'Customers', description: 'Customers, identified by phone number or email address' },
  { name: 'Apps', description: 'Sales channels and payment providers: catalog, installs, what they send' },
  { name: 'Staging', description: 'What vendors send, as it came, and what became of it' },
  { name: 'Till', description: 'Sales over the counter, and e-invoices of any order' },
  { name: 'Payments', description: 'Payment links, orders that are paid through them, transactions of gateways' },
  { name: 'Analytics', description: 'How business goes, and what will sell' },
  { name: 'Webhooks', description: 'Signed pushes of order events' },
  { name: 'Jobs', description: 'Work done in the background' },
  { name: 'Billing', description: 'What an organization owes for the service, and its wallet' },
  {
    name: 'Commercial',
    description: 'For the operator: organizations, their money and its books, services, partners and announcements',
  },
  { name: 'Leads', description: 'Landing-form intake' },
  { name: 'Branches', description: 'Stores, warehouses and distribution points' },
  { name: 'Products', description: 'The catalog, with names in English and Arabic' },
  { name: 'Brands', description: 'What products can be grouped by: their maker' },
  { name: 'Categories', description: 'What products can be grouped by: their kind' },
  { name: 'SKUs', description: 'Every product in every branch: price, stock, availability' },
  { name: 'Files', description: 'Images of branches' },
];

/**
 * Background work that is started and stopped with the service. Work that is not finished within the time limit is left for the next
 * start.
 */
export type Background = { start(): Promise<void>; stop(withinMs: number): Promise<void> };

export type Service = {
  app: App;
  /** `/health` answers 503 and every answer closes its connection; requests are still served. */
  startDraining(): void;
  closeHttp(withinMs: number): Promise<void>;
  /** Whether there is a console at `/`. */
  hasConsole: boolean;
  /** URL of metrics and health on a separate port; empty when there is none. */
  metricsUrl(): string;
  /** Runs in every process. */
  always: Background[];
  /** Runs only with the worker role. */
  workers: Background[];
  /** Whether all orders and events are counted, and every organization with sales has forecasts. */
  areFiguresComplete(): Promise<boolean>;
  /** For code that places orders without HTTP, such as the demo. */
  ordering: Ordering;
};

const CORS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CORS_EXPOSED_HEADERS = [
  'x-request-id',
  'idempotency-hit',
  'retry-after',
  'x-error-reason',
  'x-truncated',
  'x-ignored-fields',
  'preference-applied',
  'allow',
];

/** Without credentials, and with any header but the one that asks for cookies: browser sessions are for the console only. */
async function allowOrigins(app: App, origins: readonly string[]): Promise<void> {
  const origin = origins.includes('*') ? '*' : [...origins];
  const options = { origin, methods: CORS_METHODS, exposedHeaders: CORS_EXPOSED_HEADERS };
  await app.register(cors, {
    delegator: (request, done) => {
      const requested = request.headers['access-control-request-headers']?.split(',').map((name) => name.trim());
      const allowedHeaders = requested?.filter((name) => name.toLowerCase() !== SESSION_HEADER);
      done(null, allowedHeaders === undefined ? options : { ...options, allowedHeaders });
    },
  });
}

/** Every module of the service by name, in the order of construction. */
export async function buildService(platform: Platform, settings: Settings): Promise<Service> {
  const { config, log, jobs, clock } = platform;
  const commercial = settings.demo.load ? withDemoBilling(settings.commercial) : settings.commercial;
  const background = inBackground(platform);
  const { app, metrics, inFlight, bufferedBodyBytes, startDraining, isDraining, close } = createHttpServer({
    log,
    trustProxy: config.trustProxy,
    maxInFlightRequests: config.maxInFlightRequests,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    demandsHttps: settings.identity.publicUrl?.startsWith('https:') === true,
    tenantOf: ({ principal }) => principal?.membership?.organization.id ?? principal?.user?.id,
  });
  if (isTracing()) traceRequests(app);
  if (config.corsOrigins.length > 0) await allowOrigins(app, config.corsOrigins);
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, ttl),
  });

  const identity = installIdentity(app, platform, settings.identity);
  if (config.rateLimitPerMinute > 0) limitTenants(app, config.rateLimitPerMinute);
  const setExamples = settings.demo.load ? (document: Document) => setDemoExamples(app, platform, document) : undefined;
  await installOpenApi(app, { ...apiReference(TAGS), setExamples });
  const events = createEvents(platform, identity.rights);
  const apps = createApps(platform, {
    allowedNetworks: settings.webhooks.allowedNetworks,
    caFile: settings.webhooks.caFile,
    publicUrl: settings.identity.publicUrl,
    allowsSandbox: settings.demo.load,
  });
  const trackedJobs = createTrackedJobs(background);
  const orders = createOrdersModule(platform, events, trackedJobs, apps.forwardStatus);
  const payments = createPayments(platform, {
    ordering: orders.ordering,
    events,
    clientFor: apps.clientFor,
    publicUrl: settings.identity.publicUrl,
    allowsSandbox: settings.demo.load,
  });
  const staging = createStaging(platform, settings.staging, {
    ordering: orders.ordering,
    clientFor: apps.clientFor,
    publicUrl: settings.identity.publicUrl,
    handlers: [payments.reader],
  });
  const sensy = createSensy(platform, trackedJobs);
  const sales = createSales(background, events, sensy.whenSalesRecounted);
  const analytics = createAnalytics(platform, {
    listPosts: (organizationId, now) => listPostsFor(platform.sql, organizationId, now),
    readNextPostChange: (now) => readNextPostChange(platform.sql, now),
  });
  // Always, not only with DUKKAN_DEMO: `dukkan seed` loads the demo into any database.
  const webhooks = createWebhooks(platform, settings.webhooks, events, trackedJobs, demoReceiver);
  const health: HealthSources = {
    http: metrics,
    inFlight,
    isDraining,
    bufferedBodyBytes,
    identityCacheHitRate: identity.cache.hitRate,
    apps: async () => ({ ...(await apps.figures()), staging: await staging.totals() }),
    followers: events.figures,
    sections: new Map([
      ['feed', events.readers],
      ['webhooks', webhooks.figures],
      ['staging', staging.figures],
    ]),
  };

  await app.register(
    async (api: App) => {
      healthRoutes(api, platform, health);
      identity.routes(api);
      auditRoutes(api, platform, {
        access: tenant('read', 'Settings', { branchConfined: 'refused' }),
        organizationOf: (request) => tenantOf(request).organizationId,
        resources: RESOURCES,
      });
      leadRoutes(api, platform, settings.leads);
      pipelineRoutes(api, platform);
      jobsRoutes(api, platform);
      branchRoutes(api, platform);
      productRoutes(api, platform);
      brandRoutes(api, platform);
      categoryRoutes(api, platform);
      skuRoutes(api, platform);
      fileRoutes(api, platform);
      orders.routes(api);
      events.routes(api);
      customerRoutes(api, platform);
      apps.routes(api, [staging.installs]);
      staging.routes(api);
      tillRoutes(api, platform, orders.ordering);
      payments.routes(api);
      webhooks.routes(api);
      commercialRoutes(api, platform, {
        publicUrl: settings.identity.publicUrl,
        payments: commercial.payments ?? 'off',
        forgetOrganization: (id) => identity.cache.forget([id]),
        forgetUser: (id) => identity.cache.forget([id]),
      });
      serviceRoutes(api, platform);
      partnerRoutes(api, platform);
      postRoutes(api, platform);
      analytics.routes(api);
      sensy.routes(api);
    },
    { prefix: '/api/v1' },
  );
  const metricsPage = createMetricsPage(platform, health);
  const metricsServer = createMetricsServer(platform, settings.health, metricsPage, health);
  metricsRoute(app, settings.health, metricsPage);
  rootHealthRoute(app, platform, health);
  demoLoginRoute(app, settings.demo.load ? () => findDemoLogins(platform) : undefined);
  const hasConsole = serveConsole(app, settings.console);

  jobs.every('forget-old-keys', '17 * * * *', async () => {
    await forgetOldKeys(background.sql, new Date(clock.now().getTime() - KEY_LIFETIME_MS));
  });

  jobs.every('forget-old-tokens', '53 * * * *', ({ signal }) => forgetOldTokens(background, signal));
  jobs.every('forget-old-audit-entries', '37 * * * *', ({ signal }) => forgetOldEntries(background, signal));
  jobs.every('forget-dashboard-changes', '*/5 * * * *', () => forgetDashboardChanges(background));
  jobs.every('fold-organization-counts', '*/5 * * * *', ({ signal }) => foldCounts(background, signal));
  scheduleBilling(background, commercial, listChargeableAssignments);

  return {
    app,
    startDraining,
    closeHttp: close,
    hasConsole,
    metricsUrl: metricsServer.url,
    always: [
      metricsServer,
      identity.cache,
      identity.lastSeen,
      identity.keyUses,
      events.outbox,
      events.feed,
      ...webhooks.always,
      ...staging.always,
      apps.always,
      sensy.always,
    ],
    // In this order: the transaction that counts an organization's orders also enqueues its forecasts.
    async areFiguresComplete() {
      if ((await sales.isPending()) || (await sensy.isPending())) return false;
      return (await events.figures()).every(({ events_behind }) => events_behind === 0);
    },
    ordering: orders.ordering,
    workers: [
      ...staging.workers,
      ...orders.workers,
      ...webhooks.workers,
      ...sales.workers,
      ...payments.workers,
      events.publisher,
    ],
  };
}
