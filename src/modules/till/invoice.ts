/** An invoice as the table holds it, but for its XML, which is large and seldom wanted. */
export type Invoice = {
  organization_id: string;
  order_id: string;
  branch_id: string;
  branch_iv_id: string;
  position: number;
  invoice_number: string;
  uuid: string;
  issued_at: Date;
  seller_name: string;
  vat_number: string;
  currency: string;
  total: number;
  vat: number;
  qr: string;
  hash: string;
  previous_hash: string;
};

export function invoiceShape(invoice: Invoice) {
  return {
    invoice_number: invoice.invoice_number,
    issued_at: toTheSecond(invoice.issued_at),
    seller_name: invoice.seller_name,
    vat_number: invoice.vat_number,
    total: invoice.total,
    vat: invoice.vat,
    qr: invoice.qr,
    uuid: invoice.uuid,
    hash: invoice.hash,
    previous_hash: invoice.previous_hash,
  };
}

/** As the QR code and the XML have it too: an invoice knows no milliseconds. */
export function toTheSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

const NUMBER_DIGITS = 6;

/** Past a million a number has a digit more. */
export function invoiceNumber(branchIvId: string, position: number): string {
  return `${branchIvId}-${String(position).padStart(NUMBER_DIGITS, '0')}`;
}
