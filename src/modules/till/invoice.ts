/** A row of `invoices` without its XML, which is large and rarely read. */
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

/** Without milliseconds, as in the QR code and the XML. */
export function toTheSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

const NUMBER_DIGITS = 6;

/** Numbers beyond a million have more digits. */
export function invoiceNumber(branchIvId: string, position: number): string {
  return `${branchIvId}-${String(position).padStart(NUMBER_DIGITS, '0')}`;
}
