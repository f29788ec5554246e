import { useFormat, useWords } from '../../../i18n/index.ts';
import { useBranchList } from '../../../ui/branch-names.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { addressIn } from '../address.ts';
import type { StoredLine } from './stored-order.ts';
import { editorWords } from './words.ts';

const LABELS = {
  destination_id: 'branch',
  customer_name: 'name',
  customer_phone: 'phone',
  customer_email: 'email',
  receiver_name: 'receiverName',
  receiver_phone: 'receiverPhone',
  shipping_address: 'address',
  fulfillment_method: 'method',
  promised_for: 'promised',
  comment: 'comment',
  products: 'lines',
  discounts_amount: 'discount',
  delivery_fee: 'deliveryFee',
  service_fee: 'serviceFee',
} as const;

/** The choice between two versions of an order's fields. */
export function useOrderConflict() {
  const t = useWords(editorWords);
  const { dateTime, list, number } = useFormat();
  const branches = useBranchList();
  const labelOf = (field: string) => (field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : field);
  return useConflictChoice(labelOf, (field, value) => {
    switch (field) {
      case 'products':
        return list(
          (value as StoredLine[]).map(({ name, sku_id, quantity }) => {
            return `${number(Number(quantity ?? 1))} × ${typeof name === 'string' ? name : sku_id}`;
          }),
        );
      case 'shipping_address':
        return addressIn(value as Record<string, unknown>);
      case 'destination_id':
        return branches.find(({ id }) => id === value)?.name;
      case 'promised_for':
        return dateTime(String(value));
      default:
        return undefined;
    }
  });
}
