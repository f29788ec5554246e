import {
  changeOrder,
  getOrder,
  giveOrder,
  ok,
  type ReceivedCall,
  Refused,
  type Shop,
  type Vendor,
  type VendorRecord,
} from './vendor.ts';

const shopify: Vendor = {
  carries: ['x-shopify-access-token'],
  refusal: (_status, message) => ({ errors: message }),
  routes: {
    'GET /admin/api/{}/orders/{}.json': giveOrder((order) => ({ order })),
    'GET /admin/api/{}/orders/{}/fulfillment_orders.json': (_asked, shop, [, id]) => {
      const isSent = getOrder(shop, id).fulfillment_status === 'fulfilled';
      return ok({ fulfillment_orders: [{ id: `f${id}`, order_id: id, status: isSent ? 'closed' : 'open' }] });
    },
    'POST /admin/api/{}/fulfillments.json': ({ fields }, shop) => {
      const [part] = fields.fulfillment.line_items_by_fulfillment_order;
      getOrder(shop, String(part.fulfillment_order_id).slice(1)).fulfillment_status = 'fulfilled';
      return ok({ fulfillment: { id: shop.newId(), status: 'success' } }, 201);
    },
    'POST /admin/api/{}/orders/{}/cancel.json': changeOrder(
      (order) => {
        order.cancelled_at = new Date().toISOString();
      },
      (order) => ok({ order }),
    ),
  },
};

const woocommerce: Vendor = {
  carries: ['authorization'],
  refusal: (status, message) => ({ code: 'woocommerce_rest_shop_order_invalid_id', message, data: { status } }),
  routes: {
    'GET /wp-json/wc/v3/orders/{}': giveOrder(),
    'PUT /wp-json/wc/v3/orders/{}': changeOrder((order, { fields }) => {
      order.status = fields.status;
    }),
  },
};

const salla: Vendor = {
  carries: ['authorization'],
  refusal: (status, message) => ({ status, success: false, error: { code: 'error', message } }),
  routes: {
    'GET /admin/v2/orders/{}': giveOrder((data) => ({ status: 200, success: true, data })),
    'POST /admin/v2/orders/{}/status': changeOrder(
      (order, { fields }) => {
        order.status = { ...order.status, slug: fields.slug };
      },
      () => ok({ status: 201, success: true, data: { message: 'Order status updated' } }, 201),
    ),
  },
};

const zid: Vendor = {
  carries: ['authorization', 'x-manager-token'],
  refusal: (_status, message) => ({ status: 'error', message: { type: 'error', description: message } }),
  routes: {
    'GET /v1/managers/store/orders/{}/view': giveOrder((order) => ({ status: 'object', order })),
    'POST /v1/managers/store/orders/{}/change-order-status': changeOrder(
      (order, { fields }) => {
        order.order_status = { ...order.order_status, code: fields.order_status };
      },
      (order) => ok({ status: 'object', order }),
    ),
  },
};

const isShipped = ({ state, items = [] }: VendorRecord) =>
  state === 'complete' ||
  (items.length > 0 && items.every((item: VendorRecord) => item.qty_shipped >= item.qty_ordered));

const magento2: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ message }),
  routes: {
    'GET /V1/orders/{}': giveOrder(),
    'GET /V1/orders': ({ query }, shop) => ok(pageOf(query, shop)),
    'POST /V1/order/{}/ship': changeOrder(
      (order) => {
        if (isShipped(order)) throw new Refused(400, 'The order does not allow a shipment to be created');
        for (const item of order.items ?? []) item.qty_shipped = item.qty_ordered;
        // One that is still to be paid stays in processing until its invoice is.
        order.state = order.total_due > 0 ? 'processing' : 'complete';
      },
      () => ok('1'),
    ),
    'POST /V1/order/notify-orders-are-ready-for-pickup': ({ fields }, shop) => {
      const unknown = fields.orderIds.filter((id: unknown) => !shop.orders.has(String(id)));
      const errors = unknown.map((id: unknown) => ({ code: id, message: `The order ${id} is not ready for pickup` }));
      return ok({ successful: errors.length === 0, errors });
    },
    'POST /V1/orders/{}/cancel': changeOrder(
      (order) => {
        order.state = 'canceled';
      },
      () => ok(true),
    ),
    'POST /V1/orders/{}/comments': (_asked, shop, [id]) => ok(getOrder(shop, id) !== undefined),
  },
};

/** A number that is kept by its digits, as those. */
const plain = (value: VendorRecord | string | number) =>
  typeof value === 'object' ? String((value as { rawJSON?: string }).rawJSON) : value;

type Filter = { field: string; value: string; condition: string };

const CONDITIONS: Readonly<Record<string, (found: string, value: string) => boolean>> = {
  eq: (found, value) => found === value,
  gt: (found, value) => found > value,
  gteq: (found, value) => found >= value,
  lt: (found, value) => found < value,
  lteq: (found, value) => found <= value,
};

/**
 * The search of Magento's interface: groups all have to hold, of the filters in a group one. Names are written with an underscore
 * or in camel case; what has no condition is equal. By their ids unless another order is asked for, which falls where no direction
 * is. A page beyond the last one is the last one again.
 */
function pageOf(given: ReceivedCall['query'], shop: Shop): VendorRecord {
  const query = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );
  const groups = new Map<string, Map<string, Filter>>();
  for (const [name, value] of Object.entries(query)) {
    const [, group = '', filter = '', part = ''] =
      /^searchCriteria\[filterGroups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (part === '') continue;
    const filters = groups.get(group) ?? new Map<string, Filter>();
    const known = filters.get(filter) ?? { field: '', value: '', condition: 'eq' };
    filters.set(filter, { ...known, [part === 'conditionType' ? 'condition' : part]: value });
    groups.set(group, filters);
  }
  const holds = (order: VendorRecord, { field, value, condition }: Filter) => {
    const test = CONDITIONS[condition];
    if (test === undefined) throw new Refused(400, `Unsupported condition ${condition}`);
    return test(String(plain(order[field])), value);
  };
  const found = [...shop.orders.values()].filter((order) =>
    [...groups.values()].every((filters) => [...filters.values()].some((filter) => holds(order, filter))),
  );
  const sortBy = (field: string, sign: number) =>
    found.sort((left, right) => {
      const [one, other] = [plain(left[field]), plain(right[field])];
      return one === other ? 0 : one < other ? -sign : sign;
    });
  sortBy('entity_id', 1);
  // The last first: those before it leave alone what is equal to them.
  for (let index = 9; index >= 0; index -= 1) {
    const field = query[`searchCriteria[sortOrders][${index}][field]`];
    if (field !== undefined) sortBy(field, query[`searchCriteria[sortOrders][${index}][direction]`] === 'ASC' ? 1 : -1);
  }
  const size = Number(query['searchCriteria[pageSize]'] ?? 20);
  const last = Math.max(1, Math.ceil(found.length / size));
  const page = Math.min(last, Number(query['searchCriteria[currentPage]'] ?? 1));
  return { items: found.slice((page - 1) * size, page * size), search_criteria: {}, total_count: found.length };
}

export const webStores = { shopify, woocommerce, salla, zid, magento2 };
