import { changeOrder, getOrder, giveOrder, giveToken, newToken, ok, Refused, type Vendor } from './vendor.ts';

const hungerstation: Vendor = {
  carries: ['authorization'],
  refusal: (status, message) => ({ status, message }),
  open: { 'POST /v2/oauth/token': giveToken('client_secret') },
  routes: {
    'GET /v2/chains/{}/orders/{}': giveOrder(),
    'PUT /v2/chains/{}/orders/{}': changeOrder((order, { fields }) => {
      order.status = fields.status;
    }),
  },
};

const talabat: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ code: 'ERROR', message }),
  open: { 'POST /v2/login': giveToken('password') },
  routes: {
    'POST /v2/order/status/{}': changeOrder(
      (order, { fields }) => {
        order.posStatus = fields.status;
      },
      () => ({ status: 200 }),
    ),
    'POST /v2/orders/{}/preparation-completed': changeOrder(
      (order) => {
        order.posStatus = 'prepared';
      },
      () => ({ status: 200 }),
    ),
  },
};

const jahez: Vendor = {
  carries: ['x-api-key', 'authorization'],
  refusal: (_status, message) => ({ success: false, message }),
  open: {
    'POST /token': ({ vendor, fields, headers }, shop) => {
      if (!fields?.secret || !headers['x-api-key']) throw new Refused(401, 'Invalid secret');
      return ok({ token: newToken(vendor, shop) });
    },
  },
  routes: {
    'POST /webhooks/status_update': ({ fields }, shop) => {
      getOrder(shop, String(fields.jahezOrderId)).status = fields.status;
      return ok({ success: true });
    },
  },
};

const deliverect: Vendor = {
  carries: ['authorization'],
  refusal: (status, description) => ({ code: status, description }),
  open: { 'POST /oauth/token': giveToken('client_secret') },
  routes: {
    'POST /orderStatus/{}': changeOrder((order, { fields }) => {
      order.status = fields.status;
    }),
  },
};

const ubereats: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ code: 'invalid_request', message }),
  open: { 'POST /oauth/v2/token': giveToken('client_secret') },
  routes: {
    'GET /v2/eats/order/{}': giveOrder(),
    'POST /v1/eats/orders/{}/accept_pos_order': changeOrder(
      (order) => {
        order.current_state = 'ACCEPTED';
      },
      () => ({ status: 204 }),
    ),
    'POST /v1/eats/orders/{}/deny_pos_order': changeOrder(
      (order) => {
        order.current_state = 'DENIED';
      },
      () => ({ status: 204 }),
    ),
  },
};

const square: Vendor = {
  carries: ['authorization'],
  refusal: (status, detail) => ({
    errors: [{ category: 'INVALID_REQUEST_ERROR', code: status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', detail }],
  }),
  routes: {
    'GET /v2/orders/{}': giveOrder((order) => ({ order })),
    'PUT /v2/orders/{}': changeOrder(
      (order, { fields }) => {
        const { version, state, fulfillments = [] } = fields.order;
        if (version !== order.version) throw new Refused(409, 'Version mismatch');
        order.version += 1;
        if (state !== undefined) order.state = state;
        for (const { uid, ...changes } of fulfillments) {
          const known = order.fulfillments?.find((one: { uid: string }) => one.uid === uid);
          if (known === undefined) throw new Refused(400, 'No such fulfillment');
          Object.assign(known, changes);
        }
      },
      (order) => ok({ order }),
    ),
  },
};

const foodics: Vendor = {
  carries: ['authorization'],
  refusal: (_status, message) => ({ message }),
  routes: {
    'GET /v5/orders/{}': giveOrder((data) => ({ data })),
    'PUT /v5/orders/{}': changeOrder(
      (order, { fields }) => {
        Object.assign(order, fields);
      },
      (data) => ok({ data }),
    ),
  },
};

const amazonSp: Vendor = {
  carries: ['x-amz-access-token'],
  refusal: (_status, message) => ({ errors: [{ code: 'InvalidInput', message, details: '' }] }),
  open: { 'POST /auth/o2/token': giveToken('client_secret') },
  routes: {
    'GET /orders/v0/orders': ({ query }, shop) => {
      const changed = [...shop.orders.values()]
        .filter(({ LastUpdateDate }) => LastUpdateDate >= (query.LastUpdatedAfter ?? ''))
        .sort((left, right) => (left.LastUpdateDate < right.LastUpdateDate ? -1 : 1));
      // The place in the list is all that the token says.
      const from = Number(query.NextToken ?? 0);
      const size = Number(query.MaxResultsPerPage ?? 100);
      const Orders = changed.slice(from, from + size).map(({ OrderItems, ...order }) => order);
      return ok({ payload: { Orders, ...(from + size < changed.length && { NextToken: String(from + size) }) } });
    },
    'GET /orders/v0/orders/{}': giveOrder(({ OrderItems, ...payload }) => ({ payload })),
    'GET /orders/v0/orders/{}/orderItems': giveOrder(({ AmazonOrderId, OrderItems = [] }) => ({
      payload: { AmazonOrderId, OrderItems },
    })),
    'GET /orders/v0/orders/{}/address': giveOrder(({ AmazonOrderId, ShippingAddress }) => ({
      payload: { AmazonOrderId, ShippingAddress },
    })),
    'GET /orders/v0/orders/{}/buyerInfo': giveOrder(({ AmazonOrderId, BuyerInfo }) => ({
      payload: { AmazonOrderId, ...BuyerInfo },
    })),
    'POST /orders/v0/orders/{}/shipmentConfirmation': changeOrder(
      (order) => {
        order.OrderStatus = 'Shipped';
      },
      () => ({ status: 204 }),
    ),
  },
};

export const foodAndCounters = {
  hungerstation,
  talabat,
  jahez,
  deliverect,
  ubereats,
  square,
  foodics,
  'amazon-sp': amazonSp,
};
