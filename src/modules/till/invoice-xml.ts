import { createHash } from 'node:crypto';
import { type Decimal, fromMinorUnits, toText } from '../../platform/money.ts';
import type { Extra, ExtraReason, InvoiceAmounts, InvoiceLine, TaxSubtotal } from './invoice-amounts.ts';
import { totalOf } from './price-sale.ts';
import { element, textElement, writable } from './xml.ts';

/** The fields of an invoice beside its amounts. */
export type InvoiceHead = {
  number: string;
  uuid: string;
  /** RFC 3339 in UTC, to the second. */
  issuedAt: string;
  /** The invoice counter value (ICV) of ZATCA. */
  position: number;
  previousHash: string;
  qr: string;
  orderCode: string;
  seller: { name: string; vatNumber: string; address: string };
  buyerName: string;
  paymentMethod: string | null;
};

/** Base64 of the hexadecimal SHA-256 of "0": ZATCA's previous hash of the first invoice in a chain. */
export const FIRST_PREVIOUS_HASH = Buffer.from(createHash('sha256').update('0').digest('hex')).toString('base64');

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
// `ext` is declared although nothing here uses it: a signature that is put in later would declare it and change the hash.
const ROOT =
  `<Invoice xmlns="${UBL}:Invoice-2" xmlns:cac="${UBL}:CommonAggregateComponents-2"` +
  ` xmlns:cbc="${UBL}:CommonBasicComponents-2" xmlns:ext="${UBL}:CommonExtensionComponents-2">`;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Tax invoice; simplified, none of the special kinds. */
const TYPE_CODE = '388';
const TYPE_NAME = '0200000';

/** UN/CEFACT 4461. */
const PAYMENT_CODES: Record<string, string> = {
  cash: '10',
  bank_transfer: '42',
  credit_card: '48',
  debit_card: '48',
  wallet: '1',
};

/** UNTDID 5189 for allowances, UNTDID 7161 for charges: other services, since none of the list is a platform's service fee. */
const REASON_CODES: Record<ExtraReason, string> = { Discount: '95', Delivery: 'DL', Service: 'ADR' };

/**
 * The simplified tax invoice of ZATCA's phase 2 in UBL 2.1, elements in the order of its schemas; and its hash, which is
 * over the canonical form without the QR code. Extensions and signature would be left out of it too, and there are none: they
 * need a certificate that the tax authority gives to a device.
 */
export function invoiceXml(head: InvoiceHead, body: InvoiceBody): { xml: string; hash: string } {
  const before = ROOT + beforeQr(head, body.currency);
  const after = `${afterQr(head)}${body.xml}</Invoice>`;
  const hash = createHash('sha256').update(before).update(after).digest('base64');
  return { xml: DECLARATION + before + attached('QR', head.qr) + after, hash };
}

export type InvoiceBody = { currency: string; xml: string };

/** The largest part, which depends on the order only: built before the counter is locked. */
export function invoiceBody(amounts: InvoiceAmounts): InvoiceBody {
  const { currency } = amounts;
  const money = (name: string, units: bigint) =>
    textElement(name, toText(fromMinorUnits(units, currency)), `currencyID="${currency}"`);
  const extras = amounts.extras.map((extra) => allowanceCharge(extra, money));
  const lines = amounts.lines.map((line, index) => invoiceLine(index + 1, line, currency, money));
  const xml = [
    ...extras,
    element('cac:TaxTotal', money('cbc:TaxAmount', amounts.vat)),
    element(
      'cac:TaxTotal',
      money('cbc:TaxAmount', amounts.vat),
      ...amounts.subtotals.map((subtotal) => taxSubtotal(subtotal, money)),
    ),
    monetaryTotal(amounts, money),
    ...lines,
  ].join('');
  return { currency, xml };
}

type Money = (name: string, units: bigint) => string;

function beforeQr(head: InvoiceHead, currency: string): string {
  const [date = '', time = ''] = head.issuedAt.split('T');
  return [
    textElement('cbc:ProfileID', 'reporting:1.0'),
    textElement('cbc:ID', head.number),
    textElement('cbc:UUID', head.uuid),
    textElement('cbc:IssueDate', date),
    textElement('cbc:IssueTime', time),
    textElement('cbc:InvoiceTypeCode', TYPE_CODE, `name="${TYPE_NAME}"`),
    textElement('cbc:DocumentCurrencyCode', currency),
    textElement('cbc:TaxCurrencyCode', currency),
    element('cac:OrderReference', textElement('cbc:ID', head.orderCode)),
    element(
      'cac:AdditionalDocumentReference',
      textElement('cbc:ID', 'ICV'),
      textElement('cbc:UUID', String(head.position)),
    ),
    attached('PIH', head.previousHash),
  ].join('');
}

function attached(id: string, base64: string): string {
  return element(
    'cac:AdditionalDocumentReference',
    textElement('cbc:ID', id),
    element('cac:Attachment', textElement('cbc:EmbeddedDocumentBinaryObject', base64, 'mimeCode="text/plain"')),
  );
}

function afterQr({ seller, buyerName, paymentMethod }: InvoiceHead): string {
  const street = writable(seller.address).trim() === '' ? '' : textElement('cbc:StreetName', seller.address);
  const country = element('cac:Country', textElement('cbc:IdentificationCode', 'SA'));
  const scheme = element('cac:TaxScheme', textElement('cbc:ID', 'VAT'));
  const legal = (name: string) => element('cac:PartyLegalEntity', textElement('cbc:RegistrationName', name));
  const paymentCode = PAYMENT_CODES[paymentMethod ?? ''];
  return [
    element(
      'cac:AccountingSupplierParty',
      element(
        'cac:Party',
        element('cac:PostalAddress', street, country),
        element('cac:PartyTaxScheme', textElement('cbc:CompanyID', seller.vatNumber), scheme),
        legal(seller.name),
      ),
    ),
    element(
      'cac:AccountingCustomerParty',
      element(
        'cac:Party',
        element('cac:PartyTaxScheme', scheme),
        writable(buyerName).trim() === '' ? '' : legal(buyerName),
      ),
    ),
    paymentCode === undefined ? '' : element('cac:PaymentMeans', textElement('cbc:PaymentMeansCode', paymentCode)),
  ].join('');
}

function allowanceCharge({ isCharge, reason, net, percent }: Extra, money: Money): string {
  return element(
    'cac:AllowanceCharge',
    textElement('cbc:ChargeIndicator', String(isCharge)),
    textElement('cbc:AllowanceChargeReasonCode', REASON_CODES[reason]),
    textElement('cbc:AllowanceChargeReason', reason),
    money('cbc:Amount', net),
    taxCategory('cac:TaxCategory', percent),
  );
}

function taxSubtotal({ percent, net, vat }: TaxSubtotal, money: Money): string {
  return element(
    'cac:TaxSubtotal',
    money('cbc:TaxableAmount', net),
    money('cbc:TaxAmount', vat),
    taxCategory('cac:TaxCategory', percent),
  );
}

function taxCategory(name: string, percent: Decimal): string {
  return element(
    name,
    textElement('cbc:ID', percent.units === 0n ? 'Z' : 'S'),
    textElement('cbc:Percent', toText(percent)),
    element('cac:TaxScheme', textElement('cbc:ID', 'VAT')),
  );
}

function monetaryTotal({ lines, extras, net, total }: InvoiceAmounts, money: Money): string {
  const sumOf = (isCharge: boolean) =>
    totalOf(extras.filter((extra) => extra.isCharge === isCharge).map((extra) => extra.net));
  return element(
    'cac:LegalMonetaryTotal',
    money('cbc:LineExtensionAmount', totalOf(lines.map((line) => line.net))),
    money('cbc:TaxExclusiveAmount', net),
    money('cbc:TaxInclusiveAmount', total),
    money('cbc:AllowanceTotalAmount', sumOf(false)),
    money('cbc:ChargeTotalAmount', sumOf(true)),
    money('cbc:PayableAmount', total),
  );
}

function invoiceLine(id: number, line: InvoiceLine, currency: string, money: Money): string {
  return element(
    'cac:InvoiceLine',
    textElement('cbc:ID', String(id)),
    textElement('cbc:InvoicedQuantity', toText(line.quantity), 'unitCode="PCE"'),
    money('cbc:LineExtensionAmount', line.net),
    element('cac:TaxTotal', money('cbc:TaxAmount', line.vat), money('cbc:RoundingAmount', line.net + line.vat)),
    element(
      'cac:Item',
      textElement('cbc:Name', line.name),
      element('cac:SellersItemIdentification', textElement('cbc:ID', line.skuId)),
      taxCategory('cac:ClassifiedTaxCategory', line.percent),
    ),
    element('cac:Price', textElement('cbc:PriceAmount', toText(line.unitPrice), `currencyID="${currency}"`)),
  );
}
