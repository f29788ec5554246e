import { findAmount, type Money, moneyToNumber, PAYMENT_METHODS } from '../modules/commercial/billing/index.ts';
import {
  listChargeableAssignments,
  receivePayment,
  refundTenant,
  runBilling,
  settlementShape,
} from '../modules/commercial/fleet/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { defineCommand, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { existingOrganization } from './existing-organization.ts';

const ORGANIZATION = { value: 'ID', meaning: 'whose', required: true } as const;
const AMOUNT = { value: 'SAR', meaning: 'how much, such as 287.50', required: true } as const;

const runBillingNow = defineCommand({
  name: 'billing run',
  summary: 'charge the months that are missing, settle from wallets, suspend who is long overdue',
  options: { organization: { value: 'ID', meaning: 'only this one' } },
  example: 'billing run --organization 0193a1f0-7c00-7000-8000-000000000001',
  details: 'What the service does by itself every hour. Nothing is charged twice, however often it runs.',
  async run(context, { options }) {
    const platform = await context.platform();
    const organizationId =
      options.organization === undefined ? undefined : await existingOrganization(platform, options.organization);
    const run = await runBilling(platform, {
      listChargeableAssignments,
      organizationId,
      seller: context.settings().commercial.seller,
    });
    return { value: run, exitCode: run.failed > 0 ? 1 : 0 };
  },
});

const recordPayment = defineCommand({
  name: 'billing record-payment',
  summary: 'take in a payment of an organization: its oldest fees first, the rest to its wallet',
  options: {
    organization: ORGANIZATION,
    amount: AMOUNT,
    method: { value: 'METHOD', meaning: PAYMENT_METHODS.join(', '), required: true },
    reference: { value: 'TEXT', meaning: 'by which the bank knows it', required: true },
  },
  example:
    'billing record-payment --organization 0193a1f0-7c00-7000-8000-000000000001 --amount 575 --method bank_transfer --reference TRF-20261101',
  details: 'Ends the suspension for unpaid fees once none is more than thirty days overdue.',
  async run(context, { options }) {
    const amountSar = readAmount(options.amount);
    const method = PAYMENT_METHODS.find((name) => name === options.method);
    if (method === undefined) throw new UsageError(`--method must be one of ${PAYMENT_METHODS.join(', ')}`);
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.organization);
    const payment = { organizationId, amountSar, method, reference: options.reference };
    const taken = await inTransaction(platform.sql, (tx) =>
      receivePayment(tx, commandLineActor(), payment, platform.clock.now()),
    );
    return {
      value: {
        payment_id: taken.payment.id,
        organization_id: organizationId,
        amount_sar: moneyToNumber(amountSar),
        ...settlementShape(taken.settlement),
        resumed: taken.isResumed,
      },
    };
  },
});

const refundWallet = defineCommand({
  name: 'billing refund',
  summary: 'take money that is paid back out of the wallet of an organization',
  options: {
    organization: ORGANIZATION,
    amount: AMOUNT,
    note: { value: 'TEXT', meaning: 'why', required: true },
  },
  example: 'billing refund --organization 0193a1f0-7c00-7000-8000-000000000001 --amount 100 --note "Transferred twice"',
  details: 'The money itself is sent by you. Never more than the wallet holds.',
  async run(context, { options }) {
    const amountSar = readAmount(options.amount);
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.organization);
    const entry = await inTransaction(platform.sql, (tx) =>
      refundTenant(tx, commandLineActor(), { organizationId, amountSar, note: options.note }, platform.clock.now()),
    );
    const value = { ledger_entry_id: entry.id, organization_id: organizationId, amount_sar: moneyToNumber(amountSar) };
    return { value };
  },
});

function readAmount(text: string): Money {
  const amount = findAmount(text);
  if (amount === undefined) throw new UsageError(`--amount: "${text}" is not an amount such as 287.50`);
  return amount;
}

export const BILLING_COMMANDS = [runBillingNow, recordPayment, refundWallet];
