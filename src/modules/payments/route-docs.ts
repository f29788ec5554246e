import { Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { badRequest, conflict, unprocessable } from '../../platform/http/problem.ts';
import { credentialsMissing, vendorRefused, vendorUnavailable } from '../apps/index.ts';
import { OrderSnapshot, orderNotFound } from '../orders/index.ts';
import { MAX_PAYLINKS_OF_ORDER } from './create-at-provider.ts';
import { PAYLINK_STATUSES, type Paylink } from './paylink.ts';
import * as refusals from './refusals.ts';
import * as shapes from './schema.ts';
import { TRANSACTION_STATUSES } from './transaction.ts';

const tags = ['Payments'];
const problems = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const providerId = Type.String({ description: "The provider's id", examples: ['tabby'] });
const ProviderParams = Type.Object({ id: providerId });
const PaylinkParams = Type.Object({
  id: providerId,
  paylinkId: Type.String({ description: "The paylink's id", examples: [shapes.EXAMPLE_PAYLINK_ID] }),
});
const OrderParams = Type.Object({
  id: Type.String({ description: "The order's id", examples: [shapes.EXAMPLE_PAYMENT_ORDER_ID] }),
});

const appSlug = 'tabby-pos-paylinks';
const refused = vendorRefused(appSlug, 400, 'Payment is not authorized');
const unavailable = vendorUnavailable(appSlug, 'timeout');
const unknownProvider = [refusals.providerNotFound('paypal'), refusals.noPaylinks('moyasar')];
const unknownPaylink = refusals.paylinkNotFound(shapes.EXAMPLE_PAYLINK_ID);
const unknownOrder = orderNotFound(shapes.EXAMPLE_PAYMENT_ORDER_ID);
const inState = (status: Paylink['status'], wanted: string) =>
  refusals.wrongState({ id: shapes.EXAMPLE_PAYLINK_ID, status }, wanted);

export const listProvidersDoc = {
  tags,
  operationId: 'listProviders',
  summary: 'List payment providers',
  description: 'All supported providers, with whether their apps are installed and enabled in this organization.',
  response: { 200: shapes.ProviderList, ...problems },
};

export const createPaylinkDoc = {
  tags,
  operationId: 'createPaylink',
  summary: 'Create a payment link for an order or an amount',
  description: `Calls the provider before it responds. An order can have at most ${MAX_PAYLINKS_OF_ORDER} paylinks. An account confined to one branch creates paylinks for orders of its branch only. If the provider does not respond, no paylink is created and the request can be repeated.`,
  takes: ['idempotency-key'] as const,
  refuses: [
    ...unknownProvider,
    unprocessable({ order_id: 'does not exist' }),
    refusals.branchNeedsOrder(),
    refusals.appNotInstalled(appSlug),
    refusals.orderSettled(shapes.EXAMPLE_PAYMENT_ORDER_ID, 'paid'),
    credentialsMissing(appSlug, 'access_token'),
    refused,
    unavailable,
  ],
  params: ProviderParams,
  body: shapes.PaylinkBody,
  response: { 201: mutationEnvelopeOf(shapes.PaylinkShape), ...problems },
};

export const listPaylinksDoc = {
  tags,
  operationId: 'listPaylinks',
  summary: "List a provider's paylinks",
  description: 'Newest first. An account confined to one branch sees the paylinks of orders of that branch.',
  refuses: [...unknownProvider, badRequest({ status: `must be one of ${PAYLINK_STATUSES.join(', ')}` })],
  params: ProviderParams,
  querystring: Type.Object({
    ...PageQuery,
    order_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only paylinks of this order' })),
    status: Type.Optional(Type.Enum([...PAYLINK_STATUSES], { description: 'Only paylinks with this status' })),
  }),
  response: { 200: listEnvelopeOf(shapes.PaylinkShape), ...problems },
};

export const getPaylinkDoc = {
  tags,
  operationId: 'getPaylink',
  summary: 'Get a paylink',
  description: 'Returns the stored state; does not call the provider.',
  refuses: [...unknownProvider, unknownPaylink],
  params: PaylinkParams,
  response: { 200: shapes.PaylinkShape, ...problems },
};

export const capturePaylinkDoc = {
  tags,
  operationId: 'capturePaylink',
  summary: 'Capture an authorised payment, in full or in part',
  description:
    'Captures the remaining amount unless `amount` is smaller. Send the same Idempotency-Key to repeat a partial capture safely. Repeating a full capture captures nothing more and returns 200 with the same paylink. Concurrent requests for one paylink wait for each other. The order is paid once the full amount is captured.',
  takes: ['idempotency-key'] as const,
  refuses: [
    ...unknownProvider,
    unknownPaylink,
    refusals.beyondAmount('10.00'),
    inState('cancelled', 'capture'),
    refusals.underWay(shapes.EXAMPLE_PAYLINK_ID),
    refused,
    unavailable,
  ],
  params: PaylinkParams,
  body: Type.Optional(Type.Union([shapes.CaptureBody, Type.Null()], { examples: [{ amount: 27.5 }] })),
  response: { 200: mutationEnvelopeOf(shapes.PaylinkShape), ...problems },
};

export const cancelPaylinkDoc = {
  tags,
  operationId: 'cancelPaylink',
  summary: 'Cancel what was not captured',
  description:
    'Repeating the request returns 200 with the same paylink. A captured amount stays captured: refund it at the provider.',
  takes: ['idempotency-key'] as const,
  refuses: [
    ...unknownProvider,
    unknownPaylink,
    inState('captured', 'cancel'),
    refusals.underWay(shapes.EXAMPLE_PAYLINK_ID),
    refused,
    unavailable,
  ],
  params: PaylinkParams,
  response: { 200: mutationEnvelopeOf(shapes.PaylinkShape), ...problems },
};

export const createPaymentOrderDoc = {
  tags,
  operationId: 'createPaymentOrder',
  summary: 'Create an order that is paid through a provider',
  description:
    'The first provider that supports payment links becomes the active one and is asked for a payment page; providers without payment links are ignored. If it does not respond, no order is created and the request can be repeated. Call `execute_endpoint` to create another page for the same order.',
  takes: ['idempotency-key'] as const,
  refuses: [
    unprocessable({ providers: 'none of them makes payment links' }),
    refusals.appNotInstalled(appSlug),
    unavailable,
  ],
  body: shapes.PaymentOrderBody,
  response: { 201: mutationEnvelopeOf(shapes.PaymentOrderShape), ...problems },
};

export const getPaymentOrderDoc = {
  tags,
  operationId: 'getPaymentOrder',
  summary: 'Get the order of a payment as a snapshot event',
  description: 'The same response as GET /orders/{id}, for orders created by POST /payments/orders.',
  refuses: [unknownOrder],
  params: OrderParams,
  response: { 200: OrderSnapshot, ...problems },
};

export const confirmPaymentOrderDoc = {
  tags,
  operationId: 'confirmPaymentOrder',
  summary: 'Capture the payment that the customer has authorised',
  description:
    'Reads the payment back from the provider, captures it, confirms the order and completes its payment. Repeating the request gives the same response.',
  refuses: [
    unknownOrder,
    unprocessable({ provider: 'must be one of tabby, tamara' }),
    refusals.notAuthorised(shapes.EXAMPLE_PAYMENT_ORDER_ID, 'tabby'),
    refusals.appNotInstalled(appSlug),
    unavailable,
  ],
  params: OrderParams,
  body: shapes.ConfirmBody,
  response: { 200: mutationEnvelopeOf(shapes.ConfirmShape), ...problems },
};

export const listTransactionsDoc = {
  tags,
  operationId: 'listTransactions',
  summary: 'List transactions that gateways report',
  description:
    'Newest first. A transaction is matched to the order whose id, code or number it names, otherwise to the only order with its amount and currency within ten minutes. An account confined to one branch sees the transactions of orders of that branch.',
  refuses: [badRequest({ status: `must be one of ${TRANSACTION_STATUSES.join(', ')}` })],
  querystring: Type.Object({
    ...PageQuery,
    provider: Type.Optional(Type.String({ maxLength: 100, description: 'Only transactions of this provider' })),
    status: Type.Optional(Type.Enum([...TRANSACTION_STATUSES], { description: 'Only transactions with this status' })),
    unmatched: Type.Optional(Type.Boolean({ description: 'true: only transactions without an order' })),
  }),
  response: { 200: listEnvelopeOf(shapes.TransactionShape), ...problems },
};

export const matchTransactionDoc = {
  tags,
  operationId: 'matchTransaction',
  summary: 'Match a transaction to an order',
  description:
    "A paid or refunded transaction changes the order's payment_status. Repeating the request with the same order returns the same response.",
  refuses: [
    refusals.transactionNotFound(shapes.EXAMPLE_TRANSACTION_ID),
    unprocessable({ order_id: 'does not exist' }),
    conflict('Transaction is matched', {
      id: shapes.EXAMPLE_TRANSACTION_ID,
      order_id: shapes.EXAMPLE_PAYMENT_ORDER_ID,
    }),
    refusals.amountDiffers({ amount: 27.5, currency: 'SAR' }, { total_amount: 30, currency: 'SAR' }),
  ],
  params: Type.Object({
    id: Type.String({ description: "The transaction's id", examples: [shapes.EXAMPLE_TRANSACTION_ID] }),
  }),
  body: shapes.MatchBody,
  response: { 200: mutationEnvelopeOf(shapes.TransactionShape), ...problems },
};
