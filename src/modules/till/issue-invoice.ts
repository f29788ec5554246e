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
import { type InvoiceAmounts, judgeInvoice } from './invoice-amounts.ts';
import { notInvoiceable } from './invoice-refusal.ts';
import { FIRST_PREVIOUS_HASH, invoiceBody, invoiceXml } from './invoice-xml.ts';
import { qrOf } from './qr.ts';
import { findInvoice, insertInvoice, lockBranchTurn } from './sql.ts';
import type { Till } from './till.ts';

type Seller = { name: string; vatNumber: string; address: string };

/**
 * The invoice of an order, once. Held in this order: the order, so that of many who ask one writes; then the branch's turn,
 * which is short, since all that can be done without its number is done before. The caller rings once it has committed.
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
  // Before the branch's counter is touched: a refusal takes no number and leaves the chain as it is.
  const judged = judgeInvoice(order, await readRates(tx, order));
  if ('refusal' in judged) throw notInvoiceable(judged.refusal);
  const invoice = await insertNext(tx, till, order, branch, seller, judged.amounts);
  await recordInvoiced(tx, till, order);
  const entry = { action: 'invoice', resource: 'Orders', resourceId: order.id };
  await recordAudit(tx, organizationId, actor, [entry], till.clock.now());
  return { invoice, isNew: true };
}

async function insertNext(
  tx: Tx,
  { clock }: Pick<Till, 'clock'>,
  order: Order,
  branch: NamedBranch,
  seller: Seller,
  amounts: InvoiceAmounts,
): Promise<Invoice> {
  const { currency, total, vat } = amounts;
  const body = invoiceBody(amounts);
  const { lastNumber, lastHash } = await lockBranchTurn(tx, order.organization_id, branch.iv_id, FIRST_PREVIOUS_HASH);
  const position = lastNumber + 1;
  // Only now: the times of a chain run the way its numbers do.
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
  const invoice: Invoice = {
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
  };
  await insertInvoice(tx, { ...invoice, xml });
  return invoice;
}

async function getBranch(tx: Tx, order: Order): Promise<NamedBranch> {
  const { organization_id: organizationId, destination_id: name } = order;
  const [branch] = name === null ? [] : await findBranchLabels(tx, [{ organizationId, name }]);
  // Where the branch is gone, another may have taken the id that it had for its iv_id.
  if (branch === undefined || branch.id !== name) throw branchMissing(order.id);
  return branch;
}

function readRates(tx: Tx, { organization_id, products }: Order): Promise<VatRates> {
  return readVatRates(tx, organization_id, {
    productIvIds: products.map((line) => String(line.product_id)),
    skuIvIds: products.map((line) => String(line.sku_id)),
  });
}

/** In Arabic where there is a name in Arabic: it is the language of tax invoices. */
async function getSeller(tx: Tx, organizationId: string): Promise<Seller> {
  const { name_ar, name_en, vat_number: vatNumber, address } = await getOrganization(tx, organizationId);
  if (vatNumber === '') throw vatNumberMissing();
  return { name: name_ar || name_en, vatNumber, address };
}

export const branchMissing = (orderId: string): Problem =>
  conflict('Order without a branch', { id: orderId, destination_id: 'an invoice is issued by a branch' });

export const vatNumberMissing = (): Problem =>
  conflict('VAT number missing', { vat_number: 'must be set on the organization first' });
