import { Readable } from 'node:stream';
import { type Install, listInstalls } from '../modules/apps/index.ts';
import { type Actor, BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { addAsset, assignService, createService } from '../modules/commercial/billable-services/index.ts';
import type { DatedAmount } from '../modules/commercial/billing/index.ts';
import {
  accrueCommission,
  attachTenant,
  createPartner,
  recordPayout,
  reverseCommission,
  savePayee,
  sumCommission,
} from '../modules/commercial/partners/index.ts';
import { createPost } from '../modules/commercial/posts/index.ts';
import { OPERATOR_FILES, startUpload } from '../modules/files/index.ts';
import { findUser } from '../modules/identity/index.ts';
import { inTransaction, type Tx } from '../platform/database/index.ts';
import { MAX_UPLOAD_BYTES, type ReceivedFile } from '../platform/files/index.ts';
import { decimal, divide, round, toText } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { DemoLogins } from './logins.ts';
import { makeReceipt } from './receipt.ts';
import { DOCUMENTED_SERVICE, PARTNERS, POSTS, RECEIPT_LINES, SERVICE_DOCUMENTS, SERVICES } from './words/commercial.ts';

const DAY_MS = 86_400_000;
const IN_PLACE_DAYS = 120;

/** What a tenant of the demo has paid, or got back; its partner has a share of either. */
export type TenantMoney = DatedAmount & { organizationId: string };
export type PartnersInput = {
  logins: DemoLogins;
  payments: readonly TenantMoney[];
  refunds: readonly TenantMoney[];
};

/** A transfer that is still to be recorded, since its receipt is a file. */
export type UnrecordedTransfer = { partnerId: string; payeeId: string; amountSar: string; operator: Actor };

/** Partners with their commission, and announcements. */
export async function seedCommercial(
  tx: Tx,
  box: SecretBox,
  input: PartnersInput,
  now: Date,
): Promise<UnrecordedTransfer | undefined> {
  const { logins } = input;
  const inPlace = new Date(now.getTime() - IN_PLACE_DAYS * DAY_MS);
  for (const [index, { daysAgo, days, onlyFirstShop, ...texts }] of POSTS.entries()) {
    const from = new Date(now.getTime() - daysAgo * DAY_MS + index);
    const until = days === null ? null : new Date(from.getTime() + days * DAY_MS).toISOString();
    const audience = onlyFirstShop ? logins.organizations.slice(0, 1).map(({ id }) => id) : ('all' as const);
    await createPost(tx, { ...texts, from: from.toISOString(), until, audience }, BEFORE_THE_RECORD, from);
  }
  return seedPartners(tx, box, input, inPlace, now);
}

/** The catalog, and who pays for what of it. The apps have to be installed. Returns the service that has documents. */
export async function seedServices(tx: Tx, box: SecretBox, logins: DemoLogins, now: Date): Promise<string | undefined> {
  const inPlace = new Date(now.getTime() - IN_PLACE_DAYS * DAY_MS);
  const installs: Install[] = [];
  for (const { id } of logins.organizations) installs.push(...(await listInstalls(tx, box, id)));
  let documented: string | undefined;
  for (const { apps, quantity, ...service } of SERVICES) {
    const { id } = await createService(tx, service, BEFORE_THE_RECORD, inPlace);
    if (service.code === DOCUMENTED_SERVICE) documented = id;
    for (const install of installs.filter(({ app_slug }) => apps.includes(app_slug))) {
      const assignment = {
        organization_app_id: install.id,
        service_id: id,
        quantity,
        starts_at: inPlace.toISOString(),
      };
      await assignService(tx, assignment, BEFORE_THE_RECORD, inPlace);
    }
  }
  return documented;
}

/** Each shop came through a partner. Both were paid most of what is due; the receipt of the second is on paper. */
async function seedPartners(
  tx: Tx,
  box: SecretBox,
  { logins, payments, refunds }: PartnersInput,
  inPlace: Date,
  now: Date,
): Promise<UnrecordedTransfer | undefined> {
  const { email } = logins.commercial;
  const operator: Actor = {
    kind: 'operator',
    id: (await findUser(tx, email))?.id ?? email,
    name: email,
    ip: '',
    requestId: '',
  };
  let unrecorded: UnrecordedTransfer | undefined;
  for (const [index, { payee, ...input }] of PARTNERS.entries()) {
    const partner = await createPartner(tx, input, BEFORE_THE_RECORD, inPlace);
    const account = { ...payee, partnerId: partner.id };
    const { id: payeeId } = await savePayee(tx, box, account, BEFORE_THE_RECORD, inPlace);
    const organizationId = logins.organizations[index]?.id;
    if (organizationId === undefined) throw new Error('a demo partner has no tenant');
    await attachTenant(tx, partner.id, organizationId, BEFORE_THE_RECORD, inPlace);
    // In the order of their times: a refund takes back what was paid before it.
    const moves = [
      ...payments.map((one) => ({ ...one, isRefund: false })),
      ...refunds.map((one) => ({ ...one, isRefund: true })),
    ].filter((one) => one.organizationId === organizationId);
    moves.sort((one, other) => one.created.getTime() - other.created.getTime());
    for (const { id, totalSar, created, isRefund } of moves) {
      if (isRefund) await reverseCommission(tx, { organizationId, refundId: id, amountSar: totalSar, now: created });
      else await accrueCommission(tx, { organizationId, paymentId: id, totalSar, now: created });
    }
    // Two thirds, to the halala.
    const amountSar = toText(round(divide(decimal(await sumCommission(tx, partner.id)), decimal('1.5'), 4), 2));
    if (Number(amountSar) === 0) continue;
    const transfer = { partnerId: partner.id, payeeId, amountSar, operator };
    if (index === PARTNERS.length - 1) unrecorded = transfer;
    else await record(tx, transfer, null, new Date(now.getTime() - 12 * DAY_MS));
  }
  return unrecorded;
}

export async function recordWithReceipt(platform: Platform, transfer: UnrecordedTransfer): Promise<void> {
  const paidAt = new Date(platform.clock.now().getTime() - 5 * DAY_MS);
  await withDocument(platform, RECEIPT_LINES, (tx, { key }) => record(tx, transfer, key, paidAt));
}

export async function attachDocuments(platform: Platform, serviceId: string, operator: Actor): Promise<void> {
  const at = new Date(platform.clock.now().getTime() - IN_PLACE_DAYS * DAY_MS);
  for (const { name, lines } of SERVICE_DOCUMENTS) {
    await withDocument(platform, lines, (tx, file) => addAsset(tx, serviceId, { file, name }, operator, at));
  }
}

/** After the demo is in place: a file is not stored while a transaction is open. */
async function withDocument(
  platform: Platform,
  lines: readonly string[],
  use: (tx: Tx, file: ReceivedFile) => Promise<unknown>,
): Promise<void> {
  const upload = startUpload(platform, OPERATOR_FILES);
  try {
    const content = Readable.from([makeReceipt(lines)]);
    const file = await upload.receive(content, { maxBytes: MAX_UPLOAD_BYTES, accept: 'document' });
    await inTransaction(platform.sql, async (tx) => {
      await upload.claim(tx);
      await use(tx, file);
    });
  } finally {
    await upload.settle();
  }
}

async function record(tx: Tx, transfer: UnrecordedTransfer, proofKey: string | null, paidAt: Date): Promise<void> {
  const day = paidAt.toISOString().slice(0, 10);
  const lastMonth = new Date(Date.UTC(paidAt.getUTCFullYear(), paidAt.getUTCMonth() - 1, 1));
  const payout = {
    partner_id: transfer.partnerId,
    partner_user_id: transfer.payeeId,
    amount_sar: transfer.amountSar,
    period: lastMonth.toISOString().slice(0, 7),
    bank_reference: `SNB-${day.replaceAll('-', '')}-4471`,
    paid_at: paidAt,
    proof_key: proofKey,
  };
  await recordPayout(tx, payout, transfer.operator, paidAt);
}
