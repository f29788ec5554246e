import type { App } from '../platform/http/app.ts';
import type { Document, Operation, Parameter } from '../platform/http/openapi/document.ts';
import { SPARE_PRODUCT } from './catalog.ts';
import type { DemoLogins } from './logins.ts';
import { NOTED_TAG } from './order-notes.ts';
import { SPARE_NAME } from './people.ts';
import { callService } from './simulator/call-service.ts';
import { SPARE_BRAND, SPARE_CATEGORY } from './spares.ts';
import { WRITERS } from './vendor-payloads.ts';
import { SPARE_BRANCH } from './words/branches.ts';
import { DOCUMENTED_SERVICE } from './words/commercial.ts';

type ExampleFields = Readonly<Record<string, string | undefined>>;
/** Ids of rows that exist, by operation id and field. */
export type ExampleIds = Readonly<Record<string, ExampleFields>>;

type Row = Record<string, unknown> & { id: string };

/**
 * Finds rows for the examples of the reference, so that each can be sent as it is. Operations that delete or end something get
 * rows of their own: the others work after them too.
 */
export async function findExampleIds(app: App, logins: DemoLogins, loadedAt: string): Promise<ExampleIds> {
  const [shop] = logins.organizations;
  const list = async (
    token: string | undefined,
    path: string,
    rowsOf = (body: Record<string, unknown>) => body.data,
  ) => {
    const { body } = await callService(app, { method: 'GET', path, ...(token !== undefined && { token }) });
    return ((rowsOf(body) ?? []) as Row[]).filter((row) => typeof row === 'object');
  };
  const own = (path: string) => list(shop?.owner.token, path);
  const ofOperator = (path: string) =>
    list(logins.commercial.token, path, (body) => body.items ?? body.data ?? body.organizations);
  const orders = async (query: string) =>
    (await list(shop?.owner.token, `/orders?${query}`, (body) => body.orders)).map(({ order }) => order as Row);

  // Received ones first; the simulator moves them on. Not those that await payment: payment examples name them.
  const received = await orders('status=RECEIVED&limit=10');
  for (const status of ['READY_FOR_PICKUP', 'DISPATCHED']) {
    if (received.length < 6) received.push(...(await orders(`status=${status}&limit=6`)));
  }
  const apps = await own('/apps');
  const simulated = new Set(apps.filter(({ app_slug }) => String(app_slug) in WRITERS).map(({ id }) => id));
  // Orders that the simulator does not move come first: they still have their status when the example is sent.
  received.sort(
    (one, other) => Number(simulated.has(String(one.source))) - Number(simulated.has(String(other.source))),
  );
  const [noted] = await orders(`tag=${encodeURIComponent(NOTED_TAG)}&limit=1`);
  const [note] = await own(`/orders/${noted?.id}/notes`);
  const unpaid = await orders('status=RECEIVED&payment_status=pending&limit=5');
  // The newest of the load have invoices.
  const till = await orders(`source=till&limit=5&to=${encodeURIComponent(loadedAt)}`);
  const [subscription, spareSubscription] = await own('/webhook-subscriptions');
  const deliveries = await own(`/webhook-subscriptions/${subscription?.id}/deliveries?limit=2`);
  const staged = await own('/staging?status=failed&limit=10');
  const members = await own('/members?limit=100');
  const links = await own('/providers/tabby/paylinks?limit=100');
  const linkIn = (status: string) => links.find((link) => link.status === status)?.id;
  const organizations = await ofOperator('/commercial/organizations?limit=100');
  const services = await ofOperator('/commercial/billable-services');
  const assignments = await ofOperator('/commercial/billable-services/assignments');
  const payouts = await ofOperator('/commercial/partner-commissions?limit=100');
  const payees = await ofOperator('/commercial/partner-users');
  const leads = await ofOperator('/commercial/leads?limit=1');
  // A day after the load they have expired, and can still be read.
  const checkouts = (await own('/billing/payments?limit=100')).toSorted(
    (one, other) => Number(other.status === 'pending') - Number(one.status === 'pending'),
  );
  const supportRequests = await list(shop?.owner.token, '/organization/support-access', (body) => body.requests);
  const posts = await ofOperator('/commercial/posts');
  const brands = await own('/brands?limit=100');
  const categories = await own('/categories?limit=100');
  const spare = (rows: Row[]) => rows.find(({ name }) => name === SPARE_NAME)?.id;
  const named = (rows: Row[], { name_en }: { name_en: string }) => rows.find((row) => row.name_en === name_en)?.id;
  const usedBrand = brands.find(({ name_en }) => name_en !== SPARE_BRAND.name_en)?.id;
  const usedCategory = categories.find(({ name_en }) => name_en !== SPARE_CATEGORY.name_en)?.id;
  const tenant = organizations.find(({ name_en }) => name_en === 'Qassim Dates')?.id;
  const former = members.find(({ email }) => String(email).startsWith('former@'))?.id;
  const member = members.find(({ role, id }) => role === 'viewer' && id !== former)?.id;
  const install = (slug: string) => apps.find(({ app_slug }) => app_slug === slug)?.id;
  // Links that were made for an order by themselves (`POST /providers/{id}/paylinks`) make no payment order of it.
  const isOfPaymentOrder = async ({ order_id }: Row) =>
    (await callService(app, { method: 'GET', path: `/payments/orders/${order_id}`, token: shop?.owner.token ?? '' }))
      .status === 200;
  const ofOrders: Row[] = [];
  for (const link of links) if (link.order_id !== null && (await isOfPaymentOrder(link))) ofOrders.push(link);
  const ofPaymentOrder = text((ofOrders.find(({ status }) => status === 'created') ?? ofOrders[0])?.order_id);
  // Customers have agreed to pay these: one order is confirmed, the link of the other is captured.
  const [agreed, captured] = ofOrders.filter(({ status }) => status === 'authorized');
  const agreedOrder = text(agreed?.order_id);
  const transaction = (await own('/payments/transactions')).at(0);
  const awaitingPayment = await orders('status=PENDING_PAYMENT&limit=10');
  const amount = transaction?.amount;
  const [sameAmount] = await orders(`payment_status=pending&min_amount=${amount}&max_amount=${amount}&limit=1`);
  // Payments of the examples are for the others.
  const replaced = awaitingPayment.find(
    ({ id }) => ![agreedOrder, captured?.order_id, sameAmount?.id, ofPaymentOrder].includes(id),
  );
  const imagesOf = (ivId: string) => list(shop?.owner.token, `/products/code/${ivId}`, (body) => body.images);
  const imageOf = async (ivId: string) => (await imagesOf(ivId))[0]?.id;
  const [fileOwner, fileName] = String((await imagesOf('PAIN-0001'))[0]?.url ?? '')
    .split('/')
    .slice(-2);
  const ofSubscription = { id: subscription?.id };
  const ofDelivery = { ...ofSubscription, deliveryId: deliveries[0]?.id };
  const ofTenant = { id: tenant, organization_id: tenant };
  const ofInvoice = { number: text((await own('/billing/invoices?limit=1'))[0]?.number) };
  const documented = services.find(({ code }) => code === DOCUMENTED_SERVICE);
  const service = documented?.id;
  const documents = (documented?.assets ?? []) as Row[];
  const assigned = { orgAppId: String(assignments[0]?.organization_app_id ?? '') || undefined };
  return {
    revokeSessionToken: { id: spare(await own('/auth/session-tokens')) },
    endSession: { id: (await own('/auth/sessions')).at(-1)?.id },
    revokeApiKey: { id: spare(await own('/auth/api-keys')) },
    getMember: { id: member },
    changeMember: { id: member },
    createMemberReset: { id: member },
    removeMember: { id: former },
    removeClosure: { id: (await own('/branches/RUH-OLAYA/closures'))[0]?.id },
    deleteBranch: { ivId: SPARE_BRANCH.iv_id },
    deleteProduct: { ivId: SPARE_PRODUCT },
    cancelScheduledPrices: { id: (await own('/skus/scheduled-prices?limit=1'))[0]?.id },
    arrangeProductImages: { ivId: 'PAIN-0003', id: await imageOf('PAIN-0003') },
    removeProductImage: { ivId: 'PAIN-0004', imageId: await imageOf('PAIN-0004') },
    getFile: { owner: fileOwner, name: fileName },
    getBrand: { id: usedBrand },
    replaceBrand: { id: usedBrand },
    deleteBrand: { id: named(brands, SPARE_BRAND) },
    getCategory: { id: usedCategory },
    replaceCategory: { id: usedCategory },
    deleteCategory: { id: named(categories, SPARE_CATEGORY) },
    getCustomer: { id: (await own('/customers?limit=1'))[0]?.id },
    getOrder: { id: received[5]?.id ?? received[0]?.id },
    // No vendor and no simulator sets the statuses of this one.
    replaceOrder: { id: replaced?.id ?? received[0]?.id, source_transaction_id: 'web-70199' },
    advanceOrder: { id: received[1]?.id },
    readOrderTimeline: { id: received[0]?.id },
    listOrderNotes: { id: noted?.id },
    addOrderNote: { id: noted?.id },
    deleteOrderNote: { id: noted?.id, noteId: note?.id },
    getOrderTags: { id: noted?.id },
    setOrderTags: { id: noted?.id },
    deleteOrders: { order_ids: received[4]?.id },
    advanceOrders: { id: received[2]?.id },
    issueInvoice: { id: till[0]?.id },
    getInvoice: { id: till.at(-1)?.id },
    changeApp: { id: install('generic') },
    testAppConnection: { id: install('salla') },
    rotateIngestToken: { id: install('generic') },
    readAppHealth: { id: install('generic') },
    mendStagedPayload: { id: staged[3]?.id },
    removeApp: { id: install('tamara-pos-paylinks') },
    ingest: { id: install('generic') },
    getStagedPayload: { id: staged[0]?.id },
    deleteStagedPayload: { id: staged[1]?.id },
    retryStagedPayload: { id: staged[2]?.id },
    createPaylink: { order_id: unpaid[0]?.id },
    getPaylink: { paylinkId: links[0]?.id },
    capturePaylink: { paylinkId: captured?.id ?? linkIn('authorized') },
    cancelPaylink: { paylinkId: linkIn('created') },
    getPaymentOrder: { id: ofPaymentOrder },
    confirmPaymentOrder: { id: agreedOrder },
    matchTransaction: { id: transaction?.id, order_id: sameAmount?.id ?? received[0]?.id },
    createUserReset: { email: shop?.viewer.email },
    resetUserTotp: { email: shop?.viewer.email },
    getWebhookSubscription: ofSubscription,
    changeWebhookSubscription: ofSubscription,
    deleteWebhookSubscription: { id: spareSubscription?.id },
    rotateWebhookSecret: ofSubscription,
    testWebhookSubscription: ofSubscription,
    listWebhookDeliveries: ofSubscription,
    getWebhookDelivery: ofDelivery,
    replayWebhookDelivery: ofDelivery,
    recoverWebhookDeliveries: ofSubscription,
    previewTenantCredit: ofTenant,
    applyTenantCredit: ofTenant,
    recordBillingPayment: ofTenant,
    getBillingCheckout: { id: checkouts[0]?.id },
    confirmBillingCheckout: { id: checkouts[0]?.id },
    cancelBillingCheckout: { id: checkouts[1]?.id },
    listOrganizationLedger: ofTenant,
    listOrganizationInvoices: ofTenant,
    getOwnInvoice: ofInvoice,
    getOwnInvoicePdf: ofInvoice,
    getOrganizationInvoicePdf: { id: organizations.find(({ name_en }) => name_en === shop?.name_en)?.id, ...ofInvoice },
    readOrganizationUsage: ofTenant,
    getOrganizationSupportAccess: ofTenant,
    requestSupportAccess: ofTenant,
    withdrawSupportRequest: ofTenant,
    // The second organization has allowed support.
    openSupportSession: { id: logins.organizations[1]?.id },
    leaveSupportSession: { id: logins.organizations[1]?.id },
    refuseSupportRequest: { id: supportRequests[0]?.id },
    suspendOrganization: ofTenant,
    resumeOrganization: ofTenant,
    changeBillableService: { id: service },
    addServiceAsset: { id: service },
    getServiceAsset: { id: service, assetId: documents[0]?.id },
    removeServiceAsset: { id: service, assetId: documents[1]?.id },
    assignBillableService: { organization_app_id: install('generic'), service_id: service },
    changeServiceAssignment: assigned,
    unassignBillableService: assigned,
    changePartner: { id: text(payees[0]?.partner_id) },
    createPartnerUser: { partner_id: text(payees[0]?.partner_id), email: 'second-payee@rawabi.example' },
    changePartnerUser: { id: payees[0]?.id },
    recordPartnerCommission: { partner_id: text(payees[0]?.partner_id), partner_user_id: payees[0]?.id },
    getCommissionProof: { id: payouts.find(({ has_proof }) => has_proof === true)?.id },
    changeLead: { id: leads[0]?.id },
    listLeadNotes: { id: leads[0]?.id },
    addLeadNote: { id: leads[0]?.id },
    changePost: { id: posts[0]?.id },
    removePost: { id: posts.at(-1)?.id },
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Sets the found ids in path, query and body examples. Examples without a row keep their id. */
export function setExampleIds(document: Document, ids: ExampleIds): void {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const found = ids[operation.operationId];
    if (found !== undefined) setInOperation(document, operation, found);
  }
}

function setInOperation(document: Document, operation: Operation, found: ExampleFields): void {
  operation.parameters = operation.parameters?.map((parameter) => {
    const own =
      '$ref' in parameter ? document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
    const id = found[own?.name ?? ''];
    if (own === undefined || own.in === 'header' || id === undefined || isFixed(own)) return parameter;
    // A parameter that operations share stays as it is; this one gets its own.
    return { ...own, example: id };
  });
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    if (media.example !== undefined) media.example = withIds(media.example, found);
    for (const example of Object.values(media.examples ?? {})) example.value = withIds(example.value, found);
  }
}

/** The provider of a payment link is also called `id`. */
const isFixed = ({ name, example }: Parameter) => name === 'id' && example === 'tabby';

function withIds(value: unknown, found: ExampleFields): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const id = found[name];
      if (id === undefined) return [name, withIds(inner, found)];
      return [name, Array.isArray(inner) ? [id] : id];
    }),
  );
}
