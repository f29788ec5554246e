import type { App } from '../../platform/http/app.ts';
import { createOperationRecovery } from '../../platform/operations/index.ts';
import { inBackground, type Platform } from '../../platform/platform.ts';
import type { VendorClient } from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import type { Events } from '../events/index.ts';
import type { Ordering } from '../orders/index.ts';
import type { PayloadReader } from '../staging/index.ts';
import { matchAgainAsOrdersArrive } from './match-again.ts';
import { PAYLINK_OPERATION, type PaylinkIntent } from './paylink-intent.ts';
import { paylinkRoutes } from './paylink-routes.ts';
import { LEASE_MS, type PaymentContext } from './payment-context.ts';
import { paymentOrderRoutes } from './payment-order-routes.ts';
import { createPaymentReader } from './reader.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { RETRIES, settlePaylink } from './settle-operation.ts';
import { sweepPaylinks } from './sweep-paylinks.ts';
import { transactionRoutes } from './transaction-routes.ts';

export { type PastPaylink, recordPastPaylink } from './paylink-history.ts';
export { insertTransaction } from './sql/transactions.ts';

export type Payments = {
  /** Processes the staged payloads of providers. */
  reader: PayloadReader;
  routes(app: App): void;
  workers: { start(): Promise<void>; stop(): Promise<void> }[];
};

export type PaymentParts = {
  ordering: Ordering;
  events: Events;
  clientFor(install: Install, limits?: { withinMs?: number }): VendorClient;
  publicUrl: string | undefined;
  /** Whether installs may use the sandbox; true in the demo only. */
  allowsSandbox: boolean;
};

export function createPayments(platform: Platform, parts: PaymentParts): Payments {
  const { ordering, clientFor, publicUrl, allowsSandbox } = parts;
  const contextOn = ({ sql, clock, box }: Platform): PaymentContext => ({
    sql,
    clock,
    box,
    ordering,
    clientFor,
    allowsSandbox,
  });
  const background = contextOn(inBackground(platform));
  const payments = contextOn(platform);
  platform.jobs.every('sweep-paylinks', '* * * * *', ({ signal }) => sweepPaylinks(background, platform.log, signal));
  const recovery = createOperationRecovery<PaylinkIntent>(inBackground(platform), {
    kind: PAYLINK_OPERATION,
    leaseMs: LEASE_MS,
    retries: RETRIES,
    recover: (operation) => settlePaylink(background, operation, SYSTEM_ACTOR),
  });
  const { workers } = matchAgainAsOrdersArrive(background, platform, parts.events);
  return {
    workers: [...workers, { start: async () => recovery.start(), stop: recovery.stop }],
    reader: createPaymentReader(background),
    routes(app) {
      paylinkRoutes(app, platform, payments, publicUrl);
      paymentOrderRoutes(app, platform, payments, publicUrl);
      transactionRoutes(app, payments);
      sandboxRoutes(app, payments);
    },
  };
}
