/** What the page of an invoice shows, as the issued document has it: it does not change with the order. */
export type InvoiceDocument = {
  number: string;
  uuid: string;
  orderCode: string;
  currency: string;
  seller: { name: string; vatNumber: string; address: string };
  buyer: string;
  lines: {
    name: string;
    sku: string;
    quantity: number;
    unitPrice: number;
    net: number;
    percent: number;
    vat: number;
    total: number;
  }[];
  /** Discounts are negative. Without VAT. */
  extras: { reason: string; net: number; percent: number }[];
  net: number;
  vat: number;
  total: number;
};

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const AGGREGATE = `${UBL}:CommonAggregateComponents-2`;
const BASIC = `${UBL}:CommonBasicComponents-2`;

type Policy = { createHTML(text: string): unknown };
type PolicyFactory = { createPolicy(name: string, rules: { createHTML(text: string): string }): Policy };

/**
 * The content security policy of the console requires trusted types, and without one `DOMParser` throws. A document parsed as XML is not
 * part of the page: its scripts do not run and it loads nothing. Browsers without trusted types have no factory.
 */
const policy = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('invoice-xml', {
  createHTML: (xml) => xml,
});

/** Reads the UBL document that the service issued. */
export function readInvoiceXml(xml: string): InvoiceDocument {
  const trusted = (policy?.createHTML(xml) ?? xml) as string;
  const root = new DOMParser().parseFromString(trusted, 'application/xml').documentElement;
  const seller = find(root, 'AccountingSupplierParty', 'Party');
  const totals = find(root, 'LegalMonetaryTotal');
  return {
    number: text(root, 'ID'),
    uuid: text(root, 'UUID'),
    orderCode: text(find(root, 'OrderReference'), 'ID'),
    currency: text(root, 'DocumentCurrencyCode'),
    seller: {
      name: text(find(seller, 'PartyLegalEntity'), 'RegistrationName'),
      vatNumber: text(find(seller, 'PartyTaxScheme'), 'CompanyID'),
      address: text(find(seller, 'PostalAddress'), 'StreetName'),
    },
    buyer: text(find(root, 'AccountingCustomerParty', 'Party', 'PartyLegalEntity'), 'RegistrationName'),
    lines: children(root, AGGREGATE, 'InvoiceLine').map((line) => {
      const item = find(line, 'Item');
      const tax = find(line, 'TaxTotal');
      return {
        name: text(item, 'Name'),
        sku: text(find(item, 'SellersItemIdentification'), 'ID'),
        quantity: amount(line, 'InvoicedQuantity'),
        unitPrice: amount(find(line, 'Price'), 'PriceAmount'),
        net: amount(line, 'LineExtensionAmount'),
        percent: amount(find(item, 'ClassifiedTaxCategory'), 'Percent'),
        vat: amount(tax, 'TaxAmount'),
        total: amount(tax, 'RoundingAmount'),
      };
    }),
    extras: children(root, AGGREGATE, 'AllowanceCharge').map((extra) => ({
      reason: text(extra, 'AllowanceChargeReason'),
      net: amount(extra, 'Amount') * (text(extra, 'ChargeIndicator') === 'true' ? 1 : -1),
      percent: amount(find(extra, 'TaxCategory'), 'Percent'),
    })),
    net: amount(totals, 'TaxExclusiveAmount'),
    vat: amount(find(root, 'TaxTotal'), 'TaxAmount'),
    total: amount(totals, 'PayableAmount'),
  };
}

const children = (parent: Element | undefined, space: string, name: string) =>
  [...(parent?.children ?? [])].filter((child) => child.namespaceURI === space && child.localName === name);

function find(parent: Element | undefined, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>((found, name) => children(found, AGGREGATE, name)[0], parent);
}

const text = (parent: Element | undefined, name: string) => children(parent, BASIC, name)[0]?.textContent ?? '';
const amount = (parent: Element | undefined, name: string) => Number(text(parent, name));
