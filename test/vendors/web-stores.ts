import {
  type Asked,
  changeOrder,
  getOrder,
  giveOrder,
  type Kept,
  ok,
  Refused,
  type Shop,
  type Vendor,
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

const magento2: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ message }),
  routes: {
    'GET /V1/orders/{}': giveOrder(),
    'GET /V1/orders': ({ query }, shop) => ok(pageOf(query, shop)),
    'POST /V1/order/{}/ship': changeOrder(
      (order) => {
        if (order.state === 'complete') throw new Refused(400, 'The order does not allow a shipment to be created');
        order.state = 'complete';
      },
      () => ok('1'),
    ),
    'POST /V1/order/notify-orders-are-ready-for-pickup': (_asked, _shop) => ok({ errors: [] }),
    'POST /V1/orders/{}/cancel': changeOrder(
      (order) => {
        order.state = 'canceled';
      },
      () => ok(true),
    ),
    'POST /V1/orders/{}/comments': (_asked, shop, [id]) => ok(getOrder(shop, id) !== undefined),
  },
};

/** By `updated_at`, whatever the number of the filter group that names it. */
function pageOf(query: Asked['query'], shop: Shop): Kept {
  const group = /\[(?:filter_groups|filterGroups)\]\[\d+\]\[filters\]\[\d+\]/;
  const named = Object.keys(query).find((name) => name.endsWith('[field]') && query[name] === 'updated_at');
  const prefix = named === undefined ? '' : named.slice(0, named.length - '[field]'.length);
  const since = group.test(prefix) ? (query[`${prefix}[value]`] ?? '') : '';
  const isAfter = query[`${prefix}[condition_type]`] === 'gt' || query[`${prefix}[conditionType]`] === 'gt';
  const found = [...shop.orders.values()]
    .filter(({ updated_at }) => (isAfter ? updated_at > since : updated_at >= since))
    .sort((left, right) => (left.updated_at < right.updated_at ? -1 : 1));
  const size = Number(query['searchCriteria[pageSize]'] ?? query['searchCriteria[page_size]'] ?? 100);
  const page = Number(query['searchCriteria[currentPage]'] ?? query['searchCriteria[current_page]'] ?? 1);
  return { items: found.slice((page - 1) * size, page * size), total_count: found.length };
}

export const webStores = { shopify, woocommerce, salla, zid, magento2 };
