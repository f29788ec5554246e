import type { Tx } from '../../platform/database/index.ts';
import { conflict, type Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { fromMinorUnits, toNumber, toText } from '../../platform/money.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { findBranchLabels, type NamedBranch } from '../branches/index.ts';
import { getOrganization } from '../identity/index.ts';
import { getLockedOrder, type Order, type OrderOwner, recordInvoiced } from '../orders/index.ts';
import { readVatRates, type VatRates } from '../skus/index.ts';
import { type Invoice, invoiceNumber, toTheSecond } from './invoice.ts';
import { assessInvoice, type InvoiceAmounts } from './invoice-amounts.ts';
import { notInvoiceable } from './invoice-refusal.ts';
import { FIRST_PREVIOUS_HASH, invoiceBody, invoiceXml } from './invoice-xml.ts';
import { qrOf } from './qr.ts';
import { findInvoice, insertInvoice, lockInvoiceCounter } from './sql.ts';
import type { Till } from './till.ts';

type Seller = { name: string; vatNumber: string; address: string };

/**
 * Issues the invoice of an order once. Lock order: the order, so that one of several concurrent requests writes; then the branch's
 * counter, held briefly, because everything that does not need the number is done before. The caller notifies the outbox after
 * the commit.
 */
export async function issueInvoice(
  tx: Tx,
  till: Pick<Till, 'clock'>,
  owner: OrderOwner,
  actor: Actor,
  orderId: string,
): Promise<{ invoice: Invoice; isNew: boolean }> {
  const { organizationId } = owner;
  const order = await getLockedOrder(tx, owner, orderId);
  const earlier = await findInvoice(tx, organizationId, order.id);
  if (earlier !== undefined) return { invoice: earlier, isNew: false };

  const branch = await getBranch(tx, order);
  const seller = await getSeller(tx, organizationId);
  // Before the counter is locked: a refusal uses no number and does not change the chain.
  const assessed = assessInvoice(order, await readRates(tx, order));
  if ('refusal' in assessed) throw notInvoiceable(assessed.refusal);
  const { xml, ...invoice } = await nextOfBranch(tx, till, order, branch, seller, assessed.amounts);
  const entry = { action: 'invoice', resource: 'Orders', resourceId: order.id };
  // Sent together: other invoices of the branch wait for the counter.
  await Promise.all([
    insertInvoice(tx, { ...invoice, xml }),
    recordInvoiced(tx, till, order),
    recordAudit(tx, organizationId, actor, [entry], till.clock.now()),
  ]);
  return { invoice, isNew: true };
}

/** Locks the branch's counter. */
async function nextOfBranch(
  tx: Tx,
  { clock }: Pick<Till, 'clock'>,
  order: Order,
  branch: NamedBranch,
  seller: Seller,
  amounts: InvoiceAmounts,
): Promise<Invoice & { xml: string }> {
  const { currency, total, vat } = amounts;
  const body = invoiceBody(amounts);
  const { lastNumber, lastHash } = await lockInvoiceCounter(
    tx,
    order.organization_id,
    branch.iv_id,
    FIRST_PREVIOUS_HASH,
  );
  const position = lastNumber + 1;
  // Read under the lock: times and numbers of a chain increase together.
  const issuedAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
  const inText = (units: bigint) => toText(fromMinorUnits(units, currency));
  const qr = qrOf({
    sellerName: seller.name,
    vatNumber: seller.vatNumber,
    issuedAt: toTheSecond(issuedAt),
    total: inText(total),
    vat: inText(vat),
  });
  const head = {
    number: invoiceNumber(branch.iv_id, position),
    uuid: newId(),
    issuedAt: toTheSecond(issuedAt),
    position,
    previousHash: lastHash,
    qr,
    orderCode: order.order_code,
    seller,
    buyerName: order.customer_name ?? '',
    paymentMethod: order.payment_method,
  };
  const { xml, hash } = invoiceXml(head, body);
  return {
    organization_id: order.organization_id,
    order_id: order.id,
    branch_id: branch.id,
    branch_iv_id: branch.iv_id,
    position,
    invoice_number: head.number,
    uuid: head.uuid,
    issued_at: issuedAt,
    seller_name: seller.name,
    vat_number: seller.vatNumber,
    currency,
    total: toNumber(fromMinorUnits(total, currency)),
    vat: toNumber(fromMinorUnits(vat, currency)),
    qr,
    hash,
    previous_hash: lastHash,
    xml,
  };
}

async function getBranch(tx: Tx, order: Order): Promise<NamedBranch> {
  const { organization_id: organizationId, destination_id: name } = order;
  const [branch] = name === null ? [] : await findBranchLabels(tx, [{ organizationId, name }]);
  // If the branch was deleted, another branch may have its iv_id.
  if (branch === undefined || branch.id !== name) throw branchMissing(order.id);
  return branch;
}

function readRates(tx: Tx, { organization_id, products }: Order): Promise<VatRates> {
  return readVatRates(tx, organization_id, {
    productIvIds: products.map((line) => String(line.product_id)),
    skuIvIds: products.map((line) => String(line.sku_id)),
  });
}

/** The Arabic name if there is one: tax invoices are in Arabic. */
async function getSeller(tx: Tx, organizationId: string): Promise<Seller> {
  const { name_ar, name_en, vat_number: vatNumber, address } = await getOrganization(tx, organizationId);
  if (vatNumber === '') throw vatNumberMissing();
  return { name: name_ar || name_en, vatNumber, address };
}

export const branchMissing = (orderId: string): Problem =>
  conflict('Order without a branch', { id: orderId, destination_id: 'an invoice is issued by a branch' });

export const vatNumberMissing = (): Problem =>
  conflict('VAT number missing', { vat_number: 'must be set on the organization first' });
