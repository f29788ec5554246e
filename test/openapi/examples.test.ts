import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedCatalog } from '../../src/demo/catalog.ts';
import { createPeople } from '../../src/demo/people.ts';
import { SYSTEM_ACTOR } from '../../src/modules/audit/index.ts';
import { openCheckout } from '../../src/modules/commercial/fleet/index.ts';
import {
  accrueCommission,
  attachTenant,
  createPartner,
  savePayee,
} from '../../src/modules/commercial/partners/index.ts';
import { createPasswordReset, findUser } from '../../src/modules/identity/index.ts';
import { codeAt, stepAt } from '../../src/modules/identity/second-factor/totp.ts';
import { withSecondFactor } from '../../src/modules/identity/testing/second-factor.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  type Content,
  type DocumentedRoute,
  examplesOf,
  type OpenApiDocument,
  routesOf,
} from '../harness/documented-routes.ts';
import {
  type Call,
  call,
  commercialAccount,
  type Reply,
  type TestService,
  testAccount,
  testService,
} from '../harness/index.ts';
import { startVendors, type VendorSimulator } from '../vendors/simulator.ts';

let service: TestService;
let vendors: VendorSimulator;
let routes: Map<string, DocumentedRoute>;
let token: string;
let anothersToken: string;
let operatorsToken: string;
/** What the examples call by a made-up id or secret, by what it really is here. */
const standsFor = new Map<string, string>();

beforeAll(async () => {
  vendors = await startVendors();
  service = await testService({ ...vendors.settings, BILLING_PAYMENTS: 'sandbox' });
  // The demo without its year of orders: people, branches and goods are what the examples speak of.
  const { logins } = await inTransaction(service.sql, async (tx) => {
    const people = await createPeople(tx, new Date());
    await seedCatalog(tx, people, new Date());
    return people;
  });
  const [shop] = logins.organizations;
  if (shop === undefined) throw new Error('the demo has no shop');
  token = shop.owner.token;
  anothersToken = shop.member.token;
  operatorsToken = (await commercialAccount(service.sql)).token;
  const document = (await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body;
  routes = new Map(routesOf(document).map((route) => [route.operation.operationId ?? '', route]));
  standsFor.set(exampleOf('logIn').password ?? '', shop.owner.password);
  const reset = await inTransaction(service.sql, async (tx) => {
    const { id } = (await findUser(tx, shop.member.email)) ?? { id: '' };
    return createPasswordReset(tx, SYSTEM_ACTOR, { userId: id, organizationId: null }, new Date());
  });
  standsFor.set(exampleOf('resetPassword').token ?? '', reset.token);
  standsFor.set(pathExample('suspendOrganization', 'id'), shop.id);
  await enrolMember(shop.id);
  await installTabby();
  await insertTransaction(shop.id);
  await owePartner(shop.id);
  await openCheckoutToCancel(shop.id);
});
afterAll(() => vendors.close());

/** A member with a second factor that the operator takes away. */
async function enrolMember(organizationId: string): Promise<void> {
  const member = await testAccount(service.sql, organizationId, 'viewer');
  await withSecondFactor(service.baseUrl, member, { now: () => new Date() });
  standsFor.set(exampleOf('resetUserTotp').email ?? '', member.email);
}

const TABBY = 'tabby-pos-paylinks';

async function installTabby(): Promise<void> {
  const settings = { webhook_secret: 'shh', access_token: 'sk', api_base_url: vendors.baseUrlOf(TABBY) };
  const installed = await call(service.baseUrl, 'POST /apps', { token, body: { app_slug: TABBY, settings } });
  expect(installed.status, installed.text).toBe(201);
}

/** Of the amount of the order in the examples, and too long ago to be matched with it by itself. */
async function insertTransaction(organizationId: string): Promise<void> {
  const [id, now, hourAgo] = [newId(), new Date(), new Date(Date.now() - 3_600_000)];
  await service.sql`
    insert into gateway_transactions (organization_id, id, provider, organization_app_id, provider_reference, amount, currency,
                                      status, occurred_at, created, updated)
    values (${organizationId}, ${id}, 'moyasar', ${newId()}, 'm-1', 27.5, 'SAR', 'paid', ${hourAgo}, ${now}, ${now})`;
  standsFor.set(pathExample('matchTransaction', 'id'), id);
}

/** A partner to whom something is due, with a payee to send it to. */
async function owePartner(organizationId: string): Promise<void> {
  const [paymentId, now] = [newId(), new Date()];
  const { partnerId, payeeId } = await inTransaction(service.sql, async (tx) => {
    const partner = await createPartner(tx, { name: 'Rawabi', erp: 'Odoo', ratePercent: '10' }, SYSTEM_ACTOR, now);
    await attachTenant(tx, partner.id, organizationId, SYSTEM_ACTOR, now);
    const account = { partnerId: partner.id, name: 'F', email: 'f@a.example', iban: 'SA0380000000608010167519' };
    const payee = await savePayee(tx, service.platform.box, account, SYSTEM_ACTOR, now);
    await tx`
      insert into billing_payments (organization_id, id, amount_sar, method, status, created)
      values (${organizationId}, ${paymentId}, 10000, 'bank_transfer', 'succeeded', ${now})`;
    await accrueCommission(tx, { organizationId, paymentId, totalSar: '10000', now });
    return { partnerId: partner.id, payeeId: payee.id };
  });
  const { partner_id = '', partner_user_id = '' } = exampleOf('recordPartnerCommission');
  standsFor.set(partner_id, partnerId);
  standsFor.set(partner_user_id, payeeId);
}

/** A payment besides the one that the examples confirm. */
async function openCheckoutToCancel(organizationId: string): Promise<void> {
  const { id } = await inTransaction(service.sql, (tx) =>
    openCheckout(tx, organizationId, '5.00', SYSTEM_ACTOR, new Date()),
  );
  standsFor.set(pathExample('cancelBillingCheckout', 'id'), id);
}

/** Their customers agree; the newest is what the examples speak of from here on, or the one given. */
const paymentsAtTabby = () => [...vendors.shop(TABBY).payments.values()];
const agreeToAll = () => {
  for (const { id } of paymentsAtTabby()) vendors.agree(TABBY, id);
};
const meanPaylink = (index: number) =>
  standsFor.set(pathExample('getPaylink', 'paylinkId'), paymentsAtTabby()[index]?.order.reference_id);

const asItIsHere = (text: string) =>
  [...standsFor].reduce((changed, [example, real]) => changed.replaceAll(example, real), text);
const jsonOf = ({ operation }: DocumentedRoute): Content | undefined =>
  operation.requestBody?.content['application/json'];

function routeOf(operationId: string): DocumentedRoute {
  const route = routes.get(operationId);
  if (route === undefined) throw new Error(`nothing is called ${operationId}`);
  return route;
}

function exampleOf(operationId: string): Record<string, string> {
  const [example] = examplesOf(jsonOf(routeOf(operationId)));
  return example as Record<string, string>;
}

function pathExample(operationId: string, name: string): string {
  const parameter = routeOf(operationId).operation.parameters?.find((one) => one.name === name);
  return String(parameter?.example);
}

/** To the address that the examples of its parameters give. */
function send(operationId: string, options: Call = {}): Promise<Reply> {
  const { method, path } = routeOf(operationId);
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => pathExample(operationId, name));
  const caller = path.startsWith('/commercial/') ? operatorsToken : token;
  return call(service.baseUrl, `${method} ${asItIsHere(address)}`, { token: caller, ...options });
}

/** Every example of the operation's body as it stands; with strict handling, so that no field of it goes unread. */
async function sendExamples(operationId: string): Promise<Reply[]> {
  const { operation } = routeOf(operationId);
  const headers = { prefer: 'handling=strict' };
  const answers: Reply[] = [];
  for (const example of examplesOf(operation.requestBody?.content['application/json'])) {
    answers.push(await send(operationId, { headers, body: JSON.parse(asItIsHere(JSON.stringify(example))) }));
  }
  const form = operation.requestBody?.content['multipart/form-data'];
  const isFile = (name: string) => form?.schema?.properties?.[name]?.format === 'binary';
  for (const example of examplesOf(form)) {
    const raw = new FormData();
    for (const [name, value] of Object.entries(example as Record<string, string>)) {
      if (isFile(name)) raw.set(name, new Blob([value]), 'example');
      else raw.set(name, asItIsHere(value));
    }
    answers.push(await send(operationId, { headers, raw }));
  }
  if (operation.requestBody === undefined) answers.push(await send(operationId, proofOf(operationId)));
  return answers;
}

/** A vendor's call is authenticated by what the install of the examples was given, over the bytes it brings: here none. */
function proofOf(operationId: string): Call {
  if (operationId !== 'ingest') return {};
  const { settings } = exampleOf('installApp') as unknown as { settings: { webhook_secret: string } };
  const signature = createHmac('sha256', settings.webhook_secret).digest('base64');
  return { headers: { 'x-wc-webhook-signature': signature } };
}

type Found = {
  id: string;
  data: {
    id: string;
    order_id?: string;
    failed?: number;
    invite_url?: string;
    staging_id?: string;
    images?: { id: string }[];
  };
  refresh_token: string;
  secret: string;
  recovery_codes: string[];
};

const imageOf = ({ images }: Found['data']) => images?.at(0)?.id ?? '';

/** In an order in which each finds what it speaks of; what a step makes, the later ones mean by their made-up ids. */
const STEPS: [operationId: string, keep?: (answer: Found) => void][] = [
  ['createBranch'],
  ['updateBranch'],
  ['setWorkingHours'],
  ['addClosure'],
  ['addClosures'],
  ['saveBranches'],
  ['createProduct'],
  ['replaceProduct'],
  ['updateProduct'],
  ['saveProducts'],
  ['addProductImage', ({ data }) => standsFor.set(pathExample('removeProductImage', 'imageId'), imageOf(data))],
  ['arrangeProductImages'],
  ['updateSku'],
  ['updateSkus'],
  ['changePrices'],
  ['schedulePrices'],
  ['uploadDemand'],
  ['changeForecastSettings'],
  ['changeRevenueGoal'],
  ['sellAtTill', ({ data }) => standsFor.set(pathExample('issueInvoice', 'id'), data.id)],
  ['createBrand', ({ data }) => standsFor.set(pathExample('replaceBrand', 'id'), data.id)],
  ['replaceBrand'],
  ['createCategory', ({ data }) => standsFor.set(pathExample('replaceCategory', 'id'), data.id)],
  ['replaceCategory'],
  ['createOrder', ({ data }) => standsFor.set(pathExample('getOrder', 'id'), data.id)],
  ['replaceOrder'],
  ['addOrderNote'],
  ['setOrderTags'],
  ['advanceOrder'],
  ['advanceOrders'],
  ['createOrders'],
  [
    'createPaylink',
    () => {
      agreeToAll();
      meanPaylink(0);
    },
  ],
  ['capturePaylink', () => meanPaylink(1)],
  ['cancelPaylink'],
  [
    'createPaymentOrder',
    ({ data }) => {
      standsFor.set(pathExample('getPaymentOrder', 'id'), data.order_id ?? '');
      vendors.agree(TABBY, paymentsAtTabby().at(-1)?.id);
    },
  ],
  ['confirmPaymentOrder'],
  ['matchTransaction'],
  ['createWebhookSubscription', ({ id }) => standsFor.set(pathExample('getWebhookSubscription', 'id'), id)],
  ['changeWebhookSubscription'],
  ['rotateWebhookSecret'],
  ['testWebhookSubscription', ({ id }) => standsFor.set(pathExample('replayWebhookDelivery', 'deliveryId'), id)],
  ['replayWebhookDelivery'],
  ['recoverWebhookDeliveries'],
  ['installApp', ({ data }) => standsFor.set(pathExample('changeApp', 'id'), data.id)],
  ['changeApp'],
  ['testAppConnection'],
  ['rotateIngestToken'],
  ['ingest', ({ data }) => standsFor.set(pathExample('retryStagedPayload', 'id'), data.staging_id ?? '')],
  ['mendStagedPayload'],
  ['retryStagedPayload'],
  ['updateOrganization'],
  ['issueInvoice'],
  [
    'inviteMember',
    ({ data }) => {
      standsFor.set(pathExample('changeMember', 'id'), data.id);
      standsFor.set(exampleOf('acceptInvitation').token ?? '', data.invite_url?.split('#token=')[1] ?? '');
    },
  ],
  ['changeMember'],
  ['acceptInvitation'],
  ['createMemberReset'],
  ['enrolTotp', ({ secret }) => standsFor.set(exampleOf('confirmTotp').code ?? '', codeAt(secret, stepAt(new Date())))],
  ['confirmTotp', ({ recovery_codes: [code = ''] }) => standsFor.set(exampleOf('disableTotp').code ?? '', code)],
  ['disableTotp'],
  ['createLead', ({ id }) => standsFor.set(pathExample('changeLead', 'id'), id)],
  ['changeLead'],
  ['addLeadNote'],
  ['recordBillingPayment'],
  ['openBillingCheckout', ({ id }) => standsFor.set(pathExample('confirmBillingCheckout', 'id'), id)],
  ['confirmBillingCheckout'],
  ['cancelBillingCheckout'],
  ['changePlan'],
  ['createPartner'],
  ['changePartner'],
  ['createPartnerUser'],
  ['changePartnerUser'],
  ['applyTenantCredit'],
  ['openOrganization'],
  ['resetUserTotp'],
  ['createUserReset'],
  ['requestSupportAccess', ({ data }) => standsFor.set(pathExample('refuseSupportRequest', 'id'), data.id)],
  ['refuseSupportRequest'],
  ['grantSupportAccess'],
  ['openSupportSession'],
  ['suspendOrganization'],
  ['resumeOrganization'],
  ['createSessionToken'],
  ['createApiKey'],
  ['logIn', ({ refresh_token }) => standsFor.set(exampleOf('refreshLogin').refresh_token ?? '', refresh_token)],
  ['refreshLogin'],
  ['createBillableService', ({ id }) => standsFor.set(pathExample('changeBillableService', 'id'), id)],
  ['changeBillableService'],
  ['addServiceAsset'],
  ['assignBillableService'],
  ['changeServiceAssignment'],
  ['recordPartnerCommission'],
  ['createPost', ({ id }) => standsFor.set(pathExample('changePost', 'id'), id)],
  ['changePost'],
  ['deleteOrders'],
  ['changePassword'],
  ['logOut'],
  ['resetPassword'],
];

describe('the examples of requests, sent as they stand', () => {
  test('all are tried here', () => {
    const written = [...routes.values()].filter(
      ({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH',
    );
    const withBody = [...routes.values()].filter((route) => route.operation.requestBody !== undefined);
    const all = new Set([...written, ...withBody].map(({ operation }) => operation.operationId));
    expect([...all].sort()).toEqual(STEPS.map(([operationId]) => operationId).sort());
  });

  test('are done, each in its turn', async () => {
    const faults: string[] = [];
    for (const [operationId, keep] of STEPS) {
      // Ends all tokens of the caller.
      if (operationId === 'logOut') token = anothersToken;
      const brands = operationId === 'createCategory';
      // Brands and categories have the same made-up id; the one stands for the other from here on.
      if (brands) await readBack('getBrand');
      // Only a failed payload is mended, and the call of the example has no body.
      if (operationId === 'mendStagedPayload')
        await expect.poll(async () => (await send('getStagedPayload')).body.status).toBe('failed');
      const answers = await sendExamples(operationId);
      if (answers.length === 0) faults.push(`${operationId} has no example`);
      for (const { status, text, body, headers } of answers) {
        const { data } = (body ?? {}) as Found;
        const failed = data?.failed ?? 0;
        const ignored = headers.get('x-ignored-fields');
        if (status >= 300 || failed > 0 || ignored !== null)
          faults.push(`${operationId}: ${status} ${text.slice(0, 300)}`);
      }
      keep?.(answers.at(0)?.body as Found);
      if (operationId === 'createOrders') for (const read of READS) await readBack(read);
    }
    expect(faults).toEqual([]);
  });

  const READS = [
    'getBranch',
    'getProduct',
    'getSku',
    'getCategory',
    'getOrder',
    'readOrderTimeline',
    'listOrderNotes',
    'getOrderTags',
  ];

  async function readBack(operationId: string): Promise<void> {
    expect([operationId, (await send(operationId)).status]).toEqual([operationId, 200]);
  }
});
