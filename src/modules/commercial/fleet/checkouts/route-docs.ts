import { ProblemSchema } from '../../../../platform/http/envelopes.ts';
import { conflict } from '../../../../platform/http/problem.ts';
import { LIFETIME_HOURS } from './expiry.ts';
import { alreadyFinished } from './finish-checkout.ts';
import { checkoutNotFound, MAX_PENDING, tooManyPending } from './open-checkout.ts';
import * as shapes from './schema.ts';

const tags = ['Billing'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const unknown = checkoutNotFound(shapes.EXAMPLE_CHECKOUT_ID);

export const paymentsAreOff = () =>
  conflict('Online payments are off', { setting: 'the operator enables them with BILLING_PAYMENTS' });

export const openCheckoutDoc = {
  tags,
  operationId: 'openBillingCheckout',
  summary: 'Pay fees online',
  description:
    'Opens a payment; the payer completes it at `checkout_url`. Only the sandbox exists, in which no real money moves. ' +
    `Unfinished payments expire after ${LIFETIME_HOURS} hours; at most ${MAX_PENDING} are pending. ` +
    'Available while the organization is suspended. Send `Idempotency-Key` to make retries safe.',
  takes: ['idempotency-key'] as const,
  refuses: [paymentsAreOff(), tooManyPending()],
  body: shapes.CheckoutBody,
  response: { 201: shapes.Checkout, ...refusals },
};

export const listCheckoutsDoc = {
  tags,
  operationId: 'listBillingCheckouts',
  summary: 'List online payments',
  description: 'Newest first. Available while the organization is suspended.',
  querystring: shapes.CheckoutsQuery,
  response: { 200: shapes.CheckoutList, ...refusals },
};

export const getCheckoutDoc = {
  tags,
  operationId: 'getBillingCheckout',
  summary: 'Read an online payment',
  description: 'Available while the organization is suspended.',
  refuses: [unknown],
  params: shapes.CheckoutParams,
  response: { 200: shapes.Checkout, ...refusals },
};

export const confirmCheckoutDoc = {
  tags,
  operationId: 'confirmBillingCheckout',
  summary: 'Confirm an online payment in the sandbox',
  description:
    'Tops up the wallet, pays the oldest fees first and ends a suspension for unpaid fees, as a payment that the operator ' +
    'records does. Confirming again returns the same answer and moves no money.',
  refuses: [paymentsAreOff(), unknown, alreadyFinished('cancelled')],
  params: shapes.CheckoutParams,
  response: { 200: shapes.Checkout, ...refusals },
};

export const cancelCheckoutDoc = {
  tags,
  operationId: 'cancelBillingCheckout',
  summary: 'Cancel an online payment',
  description: 'Cancelling again returns the same answer.',
  refuses: [unknown, alreadyFinished('succeeded')],
  params: shapes.AbandonedParams,
  response: { 200: shapes.Checkout, ...refusals },
};
