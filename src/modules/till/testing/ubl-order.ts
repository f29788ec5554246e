import type { Node } from './read-xml.ts';

const cac = (names: string) => names.split(' ').map((name) => `cac:${name}`);
const cbc = (names: string) => names.split(' ').map((name) => `cbc:${name}`);
const amount = { currencyID: /^[A-Z]{3}$/ };

/** The sequences of the UBL 2.1 schemas, as far as an invoice of ours goes into them. A question mark or star: as often as it says. */
const SEQUENCES: Record<string, string[]> = {
  Invoice: [
    'ext:UBLExtensions?',
    ...cbc(
      'UBLVersionID? CustomizationID? ProfileID? ProfileExecutionID? ID CopyIndicator? UUID? IssueDate IssueTime?',
    ),
    ...cbc('DueDate? InvoiceTypeCode? Note* TaxPointDate? DocumentCurrencyCode? TaxCurrencyCode? LineCountNumeric?'),
    ...cac('InvoicePeriod* OrderReference? BillingReference* ContractDocumentReference* AdditionalDocumentReference*'),
    ...cac('ProjectReference* Signature* AccountingSupplierParty AccountingCustomerParty PayeeParty? Delivery*'),
    ...cac('PaymentMeans* PaymentTerms* PrepaidPayment* AllowanceCharge* TaxExchangeRate? TaxTotal*'),
    ...cac('WithholdingTaxTotal* LegalMonetaryTotal InvoiceLine+'),
  ],
  OrderReference: cbc('ID SalesOrderID? CopyIndicator? UUID? IssueDate?'),
  AdditionalDocumentReference: [...cbc('ID CopyIndicator? UUID? IssueDate? DocumentType?'), ...cac('Attachment?')],
  Attachment: cbc('EmbeddedDocumentBinaryObject?'),
  AccountingSupplierParty: cac('Party?'),
  AccountingCustomerParty: cac('Party?'),
  Party: cac('PartyIdentification* PartyName* PostalAddress? PartyTaxScheme* PartyLegalEntity* Contact?'),
  PostalAddress: [...cbc('StreetName? BuildingNumber? CitySubdivisionName? CityName? PostalZone?'), ...cac('Country?')],
  Country: cbc('IdentificationCode? Name?'),
  PartyTaxScheme: [...cbc('RegistrationName? CompanyID?'), ...cac('TaxScheme')],
  PartyLegalEntity: cbc('RegistrationName? CompanyID?'),
  TaxScheme: cbc('ID? Name?'),
  PaymentMeans: cbc('ID? PaymentMeansCode PaymentDueDate?'),
  AllowanceCharge: [
    ...cbc('ID? ChargeIndicator AllowanceChargeReasonCode? AllowanceChargeReason* MultiplierFactorNumeric? Amount'),
    ...cbc('BaseAmount?'),
    ...cac('TaxCategory*'),
  ],
  TaxTotal: [...cbc('TaxAmount RoundingAmount?'), ...cac('TaxSubtotal*')],
  TaxSubtotal: [...cbc('TaxableAmount? TaxAmount'), ...cac('TaxCategory')],
  TaxCategory: [...cbc('ID? Name? Percent? TaxExemptionReasonCode? TaxExemptionReason*'), ...cac('TaxScheme')],
  ClassifiedTaxCategory: [...cbc('ID? Name? Percent? TaxExemptionReasonCode?'), ...cac('TaxScheme')],
  LegalMonetaryTotal: cbc(
    'LineExtensionAmount? TaxExclusiveAmount? TaxInclusiveAmount? AllowanceTotalAmount? ChargeTotalAmount? PrepaidAmount? PayableRoundingAmount? PayableAmount',
  ),
  InvoiceLine: [
    ...cbc('ID UUID? Note* InvoicedQuantity? LineExtensionAmount'),
    ...cac('AllowanceCharge* TaxTotal* Item Price?'),
  ],
  Item: [
    ...cbc('Description* Name?'),
    ...cac('BuyersItemIdentification? SellersItemIdentification? StandardItemIdentification? ClassifiedTaxCategory*'),
  ],
  SellersItemIdentification: cbc('ID'),
  Price: cbc('PriceAmount BaseQuantity?'),
};

/** What the schemas ask of a value. Whatever is not named here is any text but an empty one. */
const VALUES: [RegExp, RegExp][] = [
  [/Amount$/, /^-?\d+(\.\d+)?$/],
  [/^(Percent|InvoicedQuantity)$/, /^-?\d+(\.\d+)?$/],
  [/^ChargeIndicator$/, /^(true|false)$/],
  [/^IssueDate$/, /^\d{4}-\d\d-\d\d$/],
  [/^IssueTime$/, /^\d\d:\d\d:\d\dZ$/],
  [/^EmbeddedDocumentBinaryObject$/, /^[A-Za-z0-9+/]+={0,2}$/],
];

/** What the schemas would refuse; empty for a valid document. */
export function faultsOf(node: Node): string[] {
  const name = node.name.replace(/^\w+:/, '');
  const sequence = SEQUENCES[name];
  if (sequence === undefined) return valueFaults(node, name);
  const faults = node.text === '' ? [] : [`${name} has text`];
  const children = node.children.map((child) => child.name);
  if (!patternOf(sequence).test(children.map((child) => `${child} `).join(''))) {
    faults.push(`${name} has ${children.join(', ')}`);
  }
  return [...faults, ...node.children.flatMap(faultsOf)];
}

function patternOf(sequence: string[]): RegExp {
  const parts = sequence.map((entry) => {
    const [, child, often = ''] = /^(.*?)([?*+]?)$/.exec(entry) ?? [];
    return `(?:${child} )${often}`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

function valueFaults({ children, text, attributes }: Node, name: string): string[] {
  const form = VALUES.find(([names]) => names.test(name))?.[1] ?? /\S/;
  const faults = children.length === 0 && form.test(text) ? [] : [`${name} is ${text}`];
  const isMoney = name.endsWith('Amount');
  if (isMoney !== amount.currencyID.test(attributes.currencyID ?? '')) faults.push(`${name} has a currency, or none`);
  return faults;
}
