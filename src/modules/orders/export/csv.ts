import { type CsvCell, writeCsv } from '../../../platform/csv/index.ts';
import { CSV_COLUMNS, fieldOf, ORDER_FIELDS, type OrderFieldName } from '../order-fields.ts';
import { canonicalPaymentStatus, canonicalStatus } from '../order-status.ts';
import type { ExportedOrder } from '../sql/columns.ts';

type Column = (typeof CSV_COLUMNS)[number];
type ComputedColumn = Exclude<Column, keyof ExportedOrder>;

const COMPUTED: Record<ComputedColumn, (order: ExportedOrder) => CsvCell> = {
  status: (order) => canonicalStatus(order.order_status),
  normalised_payment_status: (order) => canonicalPaymentStatus(order.payment_status),
};

const cells = CSV_COLUMNS.map((column) =>
  column in COMPUTED ? COMPUTED[column as ComputedColumn] : storedCell(column as keyof ExportedOrder),
);

function storedCell(column: keyof ExportedOrder): (order: ExportedOrder) => CsvCell {
  const type = column in ORDER_FIELDS ? fieldOf(column as OrderFieldName).type : 'text';
  switch (type) {
    case 'instant':
      return (order) => (order[column] as Date | null)?.toISOString() ?? null;
    case 'texts':
      return (order) => (order[column] as string[]).join(' | ');
    default:
      return (order) => order[column] as CsvCell;
  }
}

// Without the byte order mark Excel misreads Arabic.
const BYTE_ORDER_MARK = '\uFEFF';

export function csvHead(): string {
  return BYTE_ORDER_MARK + writeCsv([[...CSV_COLUMNS]]);
}

export function csvText(orders: ExportedOrder[]): string {
  return writeCsv(orders.map((order) => cells.map((cell) => cell(order))));
}
