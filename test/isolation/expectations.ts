import { formOf, png } from '../../src/modules/branches/testing/images.ts';
import type { Action, Resource } from '../../src/modules/identity/permissions.ts';
import { newId } from '../../src/platform/ids.ts';
import { demandOf, orderOf } from './shop.ts';
import type { ShopIds } from './shop-ids.ts';

/** How a request is made to point at what a shop owns. */
export type Aim = {
  /** Path parameters. */
  at?: (ids: ShopIds) => Record<string, string>;
  query?: (ids: ShopIds) => string;
  /** Instead of the example in the API description. */
  body?: (ids: ShopIds) => unknown;
  /** Where nothing but a form will do. */
  form?: () => FormData;
  /** A body that is no JSON. */
  csv?: (ids: ShopIds) => string;
};

export type TenantExpectation = Aim & {
  access: 'tenant';
  action: Action;
  resource: Resource;
  /**
   * What one may who is confined to another branch. refused: 403. blind: as if the row did not exist, and none of it in
   * a list. barred: refused with the message that it is another branch's. free: the same as everybody. own: what comes about is in the branch.
   */
  confined: 'refused' | 'blind' | 'barred' | 'free' | 'own';
  /** Speaks of what is there for everyone: no id of the tenant is in the answer. */
  common?: true;
  whileSuspended?: 'allowed';
  apiKey?: 'accepted';
  /** The request sets an address or a secret: the grant alone is not enough, the account has to be an owner. */
  ownerOnly?: true;
};

export type Expectation =
  | (Aim & { access: 'public' })
  | (Aim & { access: 'signed-in' })
  | (Aim & { access: 'credentials' })
  | (Aim & { access: 'commercial' })
  | TenantExpectation;

type Confined = TenantExpectation['confined'];
const tenant = (
  action: Action,
  resource: Resource,
  confined: Confined,
  more: Aim & Pick<TenantExpectation, 'whileSuspended' | 'apiKey' | 'common' | 'ownerOnly'> = {},
): TenantExpectation => ({ access: 'tenant', action, resource, confined, ...more });

const id = (name: keyof ShopIds) => ({ at: (ids: ShopIds) => ({ id: ids[name] }) });
const ivId = (name: keyof ShopIds) => ({ at: (ids: ShopIds) => ({ ivId: ids[name] }) });
const paylink = (name: 'paylink' | 'sparePaylink') => ({
  at: (ids: ShopIds) => ({ id: 'tabby', paylinkId: ids[name] }),
});
const asset = { at: (ids: ShopIds) => ({ id: ids.billableService, assetId: ids.asset }) };
const assignment = { at: (ids: ShopIds) => ({ orgAppId: ids.lastingInstall }) };
const auth = { whileSuspended: 'allowed' } as const;
const PASSWORDS = { current_password: 'a password for tests', new_password: 'another password for tests' };

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const anotherOrder = (number: number) => (ids: ShopIds) =>
  orderOf({ ...ids, transaction: `${ids.transaction}${number}` });
/** What a gateway has reported of its payment by then stays. */
const withoutBranch = (ids: ShopIds) => ({ ...orderOf(ids), destination: undefined, payment_status: undefined });
const productOf = (ids: ShopIds) => ({ iv_id: ids.product, brand_id: ids.brand, category_id: ids.category });

/**
 * Who may do what, one line a route, in the order in which the owner's own requests are tried (reads before changes,
 * changes before deletes). A route without a line fails the suite, and so does a line without a route.
 */
export const EXPECTATIONS: Record<string, Expectation> = {
  'GET /ping': { access: 'public' },
  'GET /health': { access: 'public' },
  'GET /health/system': { access: 'signed-in' },
  'GET /telemetry': { access: 'signed-in' },

  'POST /auth/login': { access: 'public' },
  'POST /auth/refresh': { access: 'public' },
  'POST /auth/logout': { access: 'signed-in' },
  'POST /auth/password': { access: 'signed-in', body: () => PASSWORDS },
  'GET /auth/credentials': { access: 'credentials' },
  'GET /auth/account': { access: 'signed-in' },
  'GET /auth/session-tokens': { access: 'signed-in' },
  'POST /auth/session-tokens': { access: 'signed-in' },
  'DELETE /auth/session-tokens/{id}': { access: 'signed-in', ...id('sessionToken') },
  'GET /auth/sessions': { access: 'signed-in' },
  'DELETE /auth/sessions/{id}': { access: 'signed-in', ...id('loginSession') },
  'DELETE /auth/sessions': { access: 'signed-in' },
  'GET /auth/api-keys': tenant('read', 'Settings', 'refused', auth),
  'POST /auth/api-keys': tenant('create', 'Settings', 'refused', auth),
  'DELETE /auth/api-keys/{id}': tenant('delete', 'Settings', 'refused', { ...auth, ...id('apiKey') }),
  'POST /auth/totp/enrol': { access: 'signed-in' },
  'POST /auth/totp/confirm': { access: 'signed-in' },
  'POST /auth/totp/disable': { access: 'signed-in' },

  'POST /auth/invitations/accept': { access: 'public' },
  'POST /auth/password/reset': { access: 'public' },

  'GET /members': tenant('read', 'Settings', 'refused', { query: (ids) => `search=${ids.transaction}` }),
  'GET /members/{id}': tenant('read', 'Settings', 'refused', id('member')),
  'POST /members': tenant('create', 'Settings', 'refused', {
    body: (ids) => ({ email: 'another@tests.example', role: 'viewer', branch_iv_id: ids.branch }),
  }),
  'PATCH /members/{id}': tenant('update', 'Settings', 'refused', { ...id('member'), body: () => ({ role: 'viewer' }) }),
  'POST /members/{id}/password-reset': tenant('update', 'Settings', 'refused', id('teammate')),
  'GET /organization': tenant('read', 'Settings', 'free'),
  'PATCH /organization': tenant('update', 'Settings', 'refused'),
  'GET /organization/support-access': tenant('read', 'Settings', 'refused', auth),
  // Empty until the first grant.
  'GET /organization/support-grants': tenant('read', 'Settings', 'refused', { ...auth, common: true }),
  'POST /organization/support-grants': tenant('update', 'Settings', 'refused', auth),
  'DELETE /organization/support-access': tenant('update', 'Settings', 'refused', auth),
  'POST /organization/support-requests/{id}/refuse': tenant('update', 'Settings', 'refused', {
    ...auth,
    ...id('supportRequest'),
  }),
  'GET /audit': tenant('read', 'Settings', 'refused', { query: (ids) => `resource_id=${ids.branchId}` }),

  'POST /leads': { access: 'public' },
  'GET /leads': { access: 'commercial' },
  'GET /commercial/leads': { access: 'commercial' },
  'PATCH /commercial/leads/{id}': { access: 'commercial', ...id('lead') },
  'GET /commercial/leads/{id}/notes': { access: 'commercial', ...id('lead') },
  'POST /commercial/leads/{id}/notes': { access: 'commercial', ...id('lead') },
  'GET /commercial/operators': { access: 'commercial' },

  'GET /billing': tenant('read', 'Settings', 'refused', auth),
  'GET /billing/ledger': tenant('read', 'Settings', 'refused', auth),
  'GET /billing/fees': tenant('read', 'Settings', 'refused', auth),
  'GET /billing/invoices': tenant('read', 'Settings', 'refused', auth),
  'GET /billing/invoices/{number}': tenant('read', 'Settings', 'refused', {
    ...auth,
    at: (ids) => ({ number: ids.feeInvoice }),
  }),

  'GET /billing/invoices/{number}/pdf': tenant('read', 'Settings', 'refused', {
    ...auth,
    at: (ids) => ({ number: ids.feeInvoice }),
  }),

  'GET /billing/payments': tenant('read', 'Settings', 'refused', auth),
  'GET /billing/payments/{id}': tenant('read', 'Settings', 'refused', { ...auth, ...id('checkout') }),
  'POST /billing/payments': tenant('update', 'Settings', 'refused', auth),
  'POST /billing/payments/{id}/confirm': tenant('update', 'Settings', 'refused', { ...auth, ...id('checkout') }),
  'POST /billing/payments/{id}/cancel': tenant('update', 'Settings', 'refused', { ...auth, ...id('spareCheckout') }),

  'GET /commercial/plans': { access: 'commercial' },
  'GET /commercial/plans/{code}': { access: 'commercial', at: () => ({ code: 'standard' }) },
  'PATCH /commercial/plans/{code}': { access: 'commercial', at: () => ({ code: 'standard' }) },
  'GET /commercial/accounting-overview': { access: 'commercial' },
  'GET /commercial/fleet-metrics': { access: 'commercial' },
  'GET /commercial/recent-payments': { access: 'commercial' },
  'GET /commercial/balance-adjustments': { access: 'commercial' },
  'GET /commercial/audit': { access: 'commercial', query: (ids) => `organization_id=${ids.organization}` },
  'GET /commercial/organizations': { access: 'commercial' },
  'GET /commercial/organizations/{id}/ledger': { access: 'commercial', ...id('organization') },
  'GET /commercial/organizations/{id}/usage': { access: 'commercial', ...id('organization') },
  'GET /commercial/organizations/{id}/invoices': { access: 'commercial', ...id('organization') },
  'GET /commercial/organizations/{id}/invoices/{number}/pdf': {
    access: 'commercial',
    at: (ids) => ({ id: ids.organization, number: ids.feeInvoice }),
  },
  'GET /commercial/tenant-credit/preview': {
    access: 'commercial',
    query: (ids) => `organization_id=${ids.organization}&amount_sar=10`,
  },
  'POST /commercial/tenant-credit': {
    access: 'commercial',
    body: (ids) => ({ organization_id: ids.organization, amount_sar: 10, note: 'seen' }),
  },
  'POST /commercial/payments': {
    access: 'commercial',
    body: (ids) => ({ organization_id: ids.organization, amount_sar: 10, method: 'cash', reference: 'seen' }),
  },
  'POST /commercial/organizations': { access: 'commercial' },
  'POST /commercial/users/reset-totp': { access: 'commercial' },
  'POST /commercial/users/password-reset': { access: 'commercial' },
  'POST /commercial/organizations/{id}/suspend': { access: 'commercial', ...id('organization') },
  'POST /commercial/organizations/{id}/resume': { access: 'commercial', ...id('organization') },
  'GET /commercial/organizations/{id}/support-access': { access: 'commercial', ...id('organization') },
  'POST /commercial/organizations/{id}/support-request': { access: 'commercial', ...id('organization') },
  'DELETE /commercial/organizations/{id}/support-request': { access: 'commercial', ...id('organization') },
  'PUT /commercial/organizations/{id}/support-session': { access: 'commercial', ...id('supportedOrganization') },
  'DELETE /commercial/organizations/{id}/support-session': { access: 'commercial', ...id('supportedOrganization') },
  // In the order in which the operator does them.
  'GET /commercial/billable-services': { access: 'commercial' },
  'POST /commercial/billable-services': {
    access: 'commercial',
    body: () => ({ code: newId(), name_en: 'Sync', price_sar: 1 }),
  },
  'PATCH /commercial/billable-services/{id}': { access: 'commercial', ...id('billableService') },
  'POST /commercial/billable-services/{id}/assets': {
    access: 'commercial',
    ...id('billableService'),
    form: () => formOf({ file: png() }),
  },
  'GET /commercial/billable-services/{id}/assets/{assetId}': { access: 'commercial', ...asset },
  'DELETE /commercial/billable-services/{id}/assets/{assetId}': { access: 'commercial', ...asset },
  'POST /commercial/billable-services/assign': {
    access: 'commercial',
    body: (ids) => ({ organization_app_id: ids.lastingInstall, service_id: ids.billableService }),
  },
  'GET /commercial/billable-services/assignments': { access: 'commercial' },
  'PATCH /commercial/billable-services/assignments/{orgAppId}': { access: 'commercial', ...assignment },
  'DELETE /commercial/billable-services/assignments/{orgAppId}': { access: 'commercial', ...assignment },
  'GET /commercial/erp-commission-rates': { access: 'commercial' },
  'GET /commercial/partner-users': { access: 'commercial' },
  'POST /commercial/partners': { access: 'commercial' },
  'PATCH /commercial/partners/{id}': { access: 'commercial', ...id('partner') },
  'POST /commercial/partner-users': {
    access: 'commercial',
    body: (ids) => ({
      partner_id: ids.partner,
      name: 'Another',
      email: 'another@tests.example',
      iban: 'SA0380000000608010167519',
    }),
  },
  'PATCH /commercial/partner-users/{id}': { access: 'commercial', ...id('payee') },
  'GET /commercial/partner-commissions': { access: 'commercial' },
  'POST /commercial/partner-commissions': {
    access: 'commercial',
    body: (ids) => ({
      partner_id: ids.partner,
      partner_user_id: ids.payee,
      amount_sar: 0.5,
      period: '2026-10',
      bank_reference: 'SNB-2',
    }),
  },
  'GET /commercial/partner-commissions/{id}/proof': { access: 'commercial', ...id('payout') },
  'GET /commercial/posts': { access: 'commercial' },
  'POST /commercial/posts': { access: 'commercial' },
  'PATCH /commercial/posts/{id}': { access: 'commercial', ...id('post') },
  'DELETE /commercial/posts/{id}': { access: 'commercial', ...id('post') },

  'GET /jobs/{id}': tenant('read', 'Orders', 'blind', id('job')),

  'GET /orders': tenant('read', 'Orders', 'blind', { query: (ids) => `search=${ids.transaction}` }),
  'GET /orders/{id}': tenant('read', 'Orders', 'blind', id('order')),
  'GET /orders/{id}/timeline': tenant('read', 'Orders', 'blind', id('order')),
  'GET /orders/{id}/notes': tenant('read', 'Orders', 'blind', id('order')),
  'GET /orders/{id}/tags': tenant('read', 'Orders', 'blind', id('order')),
  'GET /orders/tags': tenant('read', 'Orders', 'blind'),
  'GET /orders/dashboard': tenant('read', 'Orders', 'blind'),
  'GET /orders/dashboard/export': tenant('export', 'Orders', 'blind'),
  'GET /orders/changes': tenant('read', 'Orders', 'blind'),
  'GET /orders/changes/stream': tenant('read', 'Orders', 'blind', { query: () => 'cursor=' }),
  'POST /orders': tenant('create', 'Orders', 'barred', { body: anotherOrder(3) }),
  'POST /orders/bulk': tenant('create', 'Orders', 'barred', {
    body: (ids) => ({ mode: 'create', orders: [anotherOrder(4)(ids)] }),
  }),
  'POST /till/orders': tenant('create', 'Orders', 'barred', {
    body: (ids) => ({
      branch_iv_id: ids.branch,
      lines: [{ sku_iv_id: ids.sku, quantity: 1 }],
      payment_method: 'cash',
      allow_negative_stock: true,
    }),
  }),
  'POST /orders/{id}/invoice': tenant('create', 'Orders', 'blind', id('order')),
  'GET /orders/{id}/invoice': tenant('read', 'Orders', 'blind', id('order')),
  'PUT /orders/{id}': tenant('update', 'Orders', 'blind', { ...id('order'), body: withoutBranch }),
  'POST /orders/{id}/notes': tenant('update', 'Orders', 'blind', id('order')),
  'PUT /orders/{id}/tags': tenant('update', 'Orders', 'blind', id('order')),
  'PATCH /orders/{id}/status': tenant('update', 'Orders', 'blind', { ...id('order'), body: () => ({ notes: 'seen' }) }),
  'PATCH /orders/bulk/status': tenant('update', 'Orders', 'blind', {
    body: (ids) => ({ updates: [{ id: ids.order, order_status: 'READY_FOR_PICKUP' }] }),
  }),
  'GET /customers': tenant('read', 'Orders', 'blind'),
  'GET /customers/export': tenant('export', 'Orders', 'blind'),
  'GET /customers/{id}': tenant('read', 'Orders', 'blind', id('customer')),

  'GET /analytics/dashboard': tenant('read', 'Analytics', 'blind'),

  'GET /providers': tenant('read', 'Payments', 'free', { common: true }),
  'GET /providers/{id}/paylinks': tenant('read', 'Payments', 'blind', {
    at: () => ({ id: 'tabby' }),
    query: (ids) => `order_id=${ids.order}`,
  }),
  'GET /providers/{id}/paylinks/{paylinkId}': tenant('read', 'Payments', 'blind', paylink('paylink')),
  'GET /payments/orders/{id}': tenant('read', 'Payments', 'blind', id('paymentOrder')),
  'GET /payments/transactions': tenant('read', 'Payments', 'blind', { query: () => 'provider=moyasar' }),
  'POST /providers/{id}/paylinks': tenant('create', 'Payments', 'blind', {
    at: () => ({ id: 'tabby' }),
    body: (ids) => ({ order_id: ids.order }),
  }),
  'POST /providers/{id}/paylinks/{paylinkId}/capture': tenant('update', 'Payments', 'blind', {
    ...paylink('paylink'),
    body: () => ({ amount: 5 }),
  }),
  'POST /providers/{id}/paylinks/{paylinkId}/cancel': tenant('update', 'Payments', 'blind', paylink('sparePaylink')),
  'POST /payments/orders': tenant('create', 'Payments', 'own'),
  'POST /payments/orders/{id}/confirm': tenant('update', 'Payments', 'blind', {
    ...id('paymentOrder'),
    body: () => ({ provider: 'tabby' }),
  }),
  'POST /payments/transactions/{id}/match': tenant('update', 'Payments', 'refused', {
    ...id('gatewayTransaction'),
    body: (ids) => ({ order_id: ids.order }),
  }),

  'GET /webhook-subscriptions': tenant('read', 'Webhooks', 'refused'),
  'POST /webhook-subscriptions': tenant('create', 'Webhooks', 'refused', {
    body: () => ({ url: 'https://127.0.0.1:9/more' }),
  }),
  'GET /webhook-subscriptions/{id}': tenant('read', 'Webhooks', 'refused', id('subscription')),
  'PATCH /webhook-subscriptions/{id}': tenant('update', 'Webhooks', 'refused', id('subscription')),
  'POST /webhook-subscriptions/{id}/rotate-secret': tenant('update', 'Webhooks', 'refused', id('subscription')),
  'POST /webhook-subscriptions/{id}/test': tenant('update', 'Webhooks', 'refused', id('subscription')),
  'POST /webhook-subscriptions/{id}/recover': tenant('update', 'Webhooks', 'refused', {
    ...id('subscription'),
    body: () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
  }),
  'GET /webhook-subscriptions/{id}/deliveries': tenant('read', 'Webhooks', 'refused', id('subscription')),
  'GET /webhook-subscriptions/{id}/deliveries/{deliveryId}': tenant('read', 'Webhooks', 'refused', {
    at: (ids) => ({ id: ids.subscription, deliveryId: ids.delivery }),
  }),
  'POST /webhook-subscriptions/{id}/deliveries/{deliveryId}/replay': tenant('update', 'Webhooks', 'refused', {
    at: (ids) => ({ id: ids.subscription, deliveryId: ids.delivery }),
  }),

  'GET /apps': tenant('read', 'Apps', 'free', { apiKey: 'accepted' }),
  'GET /apps/catalog': tenant('read', 'Apps', 'free', { common: true }),
  'POST /apps': tenant('create', 'Apps', 'refused', { ownerOnly: true }),
  'PATCH /apps/{id}': tenant('update', 'Apps', 'refused', { ...id('install'), body: () => ({ enabled: false }) }),
  'GET /apps/{id}/health': tenant('read', 'Apps', 'refused', { ...id('install'), common: true }),
  'POST /apps/{id}/test-connection': tenant('update', 'Apps', 'refused', id('install')),
  'POST /apps/{id}/rotate-ingest-token': tenant('update', 'Apps', 'refused', { ...id('install'), ownerOnly: true }),
  // Authenticated by the vendor's own signature, which no caller here has.
  'POST /ingest/{id}': { access: 'public', ...id('install') },
  'GET /staging': tenant('read', 'Apps', 'refused', { query: (ids) => `organization_app_id=${ids.install}` }),
  'GET /staging/{id}': tenant('read', 'Apps', 'refused', id('payload')),
  'PUT /staging/{id}/payload': tenant('update', 'Apps', 'refused', id('failedPayload')),
  'POST /staging/{id}/retry': tenant('update', 'Apps', 'refused', id('payload')),

  'GET /files/{owner}/{name}': { access: 'public', at: (ids) => ({ owner: ids.fileOwner, name: ids.fileName }) },

  'GET /branches': tenant('read', 'Branches', 'blind'),
  'GET /branches/{ivId}': tenant('read', 'Branches', 'blind', ivId('branch')),
  'POST /branches': tenant('create', 'Branches', 'refused', { body: (ids) => ({ iv_id: `${ids.branch}-2` }) }),
  'POST /branches/bulk': tenant('import', 'Branches', 'refused', {
    body: (ids) => ({ mode: 'update', branches: [{ iv_id: ids.branch, name_en: 'seen' }] }),
  }),
  'PUT /branches/{ivId}': tenant('update', 'Branches', 'blind', ivId('branch')),
  'GET /branches/{ivId}/closures': tenant('read', 'Branches', 'blind', ivId('branch')),
  'POST /branches/{ivId}/closures': tenant('update', 'Branches', 'blind', ivId('branch')),
  'POST /branches/closures': tenant('update', 'Branches', 'refused', {
    body: (ids) => ({ from: '2099-09-23', until: '2099-09-23', branch_iv_ids: [ids.branch] }),
  }),
  'DELETE /branches/{ivId}/closures/{id}': tenant('update', 'Branches', 'blind', {
    at: (ids) => ({ ivId: ids.branch, id: ids.closure }),
  }),
  'PUT /branches/{ivId}/working-hours': tenant('update', 'Branches', 'blind', ivId('branch')),

  'GET /brands': tenant('read', 'Products', 'free'),
  'GET /brands/{id}': tenant('read', 'Products', 'free', id('brand')),
  'POST /brands': tenant('create', 'Products', 'refused'),
  'PUT /brands/{id}': tenant('update', 'Products', 'refused', id('brand')),
  'GET /categories': tenant('read', 'Products', 'free'),
  'GET /categories/{id}': tenant('read', 'Products', 'free', id('category')),
  'POST /categories': tenant('create', 'Products', 'refused'),
  'PUT /categories/{id}': tenant('update', 'Products', 'refused', id('category')),

  'GET /products': tenant('read', 'Products', 'free', { query: (ids) => `brand_id=${ids.brand}` }),
  'GET /products/export': tenant('export', 'Products', 'free', { query: (ids) => `brand_id=${ids.brand}` }),
  'GET /products/code/{ivId}': tenant('read', 'Products', 'free', ivId('product')),
  'POST /products': tenant('create', 'Products', 'refused', {
    body: (ids) => ({ ...productOf(ids), iv_id: `${ids.product}-2` }),
  }),
  'POST /products/bulk': tenant('import', 'Products', 'refused', {
    body: (ids) => ({ mode: 'update', products: [productOf(ids)] }),
  }),
  'PUT /products/code/{ivId}': tenant('update', 'Products', 'refused', { ...ivId('product'), body: productOf }),
  'PATCH /products/code/{ivId}': tenant('update', 'Products', 'refused', { ...ivId('product'), body: productOf }),

  'POST /products/code/{ivId}/images': tenant('update', 'Products', 'refused', {
    ...ivId('product'),
    form: () => formOf({ file: png() }),
  }),
  'PUT /products/code/{ivId}/images': tenant('update', 'Products', 'refused', {
    ...ivId('product'),
    body: (ids) => ({ images: [{ id: ids.productImage }] }),
  }),

  'GET /analytics/low-stock': tenant('read', 'Products', 'blind'),
  'GET /analytics/branches': tenant('read', 'Analytics', 'blind'),
  'GET /analytics/last-year': tenant('read', 'Analytics', 'blind'),
  'GET /analytics/goals': tenant('read', 'Analytics', 'refused'),
  'PUT /analytics/goals': tenant('update', 'Analytics', 'refused'),
  'GET /analytics/sensy': tenant('read', 'Analytics', 'blind', { query: (ids) => `branch_iv_id=${ids.branch}` }),
  'GET /analytics/consumption': tenant('read', 'Analytics', 'blind', { query: (ids) => `search=${ids.sku}` }),
  'GET /analytics/sensy/export': tenant('export', 'Analytics', 'blind'),
  'GET /analytics/sensy/template': tenant('read', 'Analytics', 'free', { common: true }),
  'GET /analytics/sensy/settings': tenant('read', 'Analytics', 'free', { common: true }),
  'POST /analytics/sensy/upload': tenant('import', 'Analytics', 'refused', { csv: demandOf }),
  'PATCH /analytics/sensy/settings': tenant('update', 'Analytics', 'refused'),

  'GET /skus': tenant('read', 'Products', 'blind', { query: (ids) => `branch_iv_id=${ids.branch}` }),
  'GET /skus/{ivId}': tenant('read', 'Products', 'blind', ivId('sku')),
  'PATCH /skus/{ivId}': tenant('update', 'Products', 'blind', { ...ivId('sku'), body: () => ({ price: 9.5 }) }),
  'POST /skus/bulk': tenant('update', 'Products', 'blind', {
    body: (ids) => ({ mode: 'update', skus: [{ iv_id: ids.sku, current_qty: 7 }] }),
  }),
  'GET /skus/scheduled-prices': tenant('read', 'Products', 'refused'),
  'POST /skus/scheduled-prices': tenant('update', 'Products', 'refused', {
    body: (ids) => ({ sku_iv_ids: [ids.sku], price: 5, starts_at: inDays(40), ends_at: inDays(41) }),
  }),
  'POST /skus/price-changes': tenant('update', 'Products', 'blind', {
    body: (ids) => ({ percent: 10, filter: { product_iv_ids: [ids.product], branch_iv_ids: [ids.branch] } }),
  }),

  'DELETE /orders/{id}/notes/{noteId}': tenant('update', 'Orders', 'blind', {
    at: (ids) => ({ id: ids.order, noteId: ids.note }),
  }),
  'DELETE /orders/bulk': tenant('delete', 'Orders', 'blind', { body: (ids) => ({ order_ids: [ids.order] }) }),
  'DELETE /staging/{id}': tenant('delete', 'Apps', 'refused', id('payload')),
  'DELETE /apps/{id}': tenant('delete', 'Apps', 'refused', id('install')),
  'DELETE /webhook-subscriptions/{id}': tenant('delete', 'Webhooks', 'refused', id('subscription')),
  'DELETE /skus/scheduled-prices/{id}': tenant('update', 'Products', 'refused', id('priceSchedule')),
  'DELETE /products/code/{ivId}/images/{imageId}': tenant('update', 'Products', 'refused', {
    at: (ids) => ({ ivId: ids.product, imageId: ids.productImage }),
  }),
  'DELETE /products/code/{ivId}': tenant('delete', 'Products', 'refused', {
    ...ivId('product'),
    query: () => 'force=true',
  }),
  'DELETE /branches/{ivId}': tenant('delete', 'Branches', 'refused', { ...ivId('branch'), query: () => 'force=true' }),
  'DELETE /members/{id}': tenant('delete', 'Settings', 'refused', id('member')),
  'DELETE /brands/{id}': tenant('delete', 'Products', 'refused', id('spareBrand')),
  'DELETE /categories/{id}': tenant('delete', 'Products', 'refused', id('spareCategory')),
};
