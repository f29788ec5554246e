import type { OrderingSlug } from './made-orders.ts';
import type { VendorRecord } from './vendor.ts';

type Partial = {
  /** Added to the made order, so that every part of an order is there. */
  more: VendorRecord;
  /** How the order is sent whole, where the vendor usually sends a notice of it. */
  wrap?: (order: VendorRecord) => VendorRecord;
  /** What says which order it is: it cannot be left out. */
  required: readonly string[];
  /** What becomes of a stored field when the payload has null in this place. */
  nulls: Readonly<Record<string, VendorRecord>>;
};

const own: Partial = {
  more: {
    order_status: 'received',
    payment_status: 'paid',
    fulfillment_status: 'partial',
    subtotal: 60.15,
    service_fee: 0,
    customer_name: 'Sara',
    customer_phone: '+966500000000',
    customer_email: 'sara@example.com',
    receiver_name: 'Noura',
    receiver_phone: '+966500000001',
    shipping_address: { city: 'Riyadh' },
    comment: 'Knock twice',
    promised_for: '2026-11-15T10:00:00Z',
    is_preorder: true,
    order_type: 'phone',
    transport_type: 'van',
    fulfillment_method: 'delivery',
    payment_method: 'cash',
  },
  required: ['source_transaction_id'],
  nulls: {
    products: { products: [], skus: [] },
    customer_name: { customer_name: null },
    shipping_address: { shipping_address: null },
    discounts_amount: { discounts_amount: 0 },
    promised_for: { promised_for: null },
    is_preorder: { is_preorder: false },
  },
};

const person = { first_name: 'Sara', last_name: 'Al-Otaibi' };

export const PARTIAL_ORDERS: Readonly<Record<OrderingSlug, Partial>> = {
  shopify: {
    more: {
      customer: { ...person, phone: '+966500000000', email: 'sara@example.com' },
      billing_address: { first_name: 'Noura', last_name: 'Other', phone: '+966500000009', address1: 'Elsewhere 1' },
      shipping_address: { ...person, phone: '+966500000001', address1: 'King Fahd Road', city: 'Riyadh' },
      email: 'other@example.com',
      phone: '+966500000008',
      note: 'Knock twice',
      source_name: 'web',
      original_total_duties_set: { shop_money: { amount: '0.00' } },
    },
    required: ['id'],
    nulls: {
      line_items: { products: [], skus: [] },
      note: { comment: null },
      customer: { customer_name: 'Noura Other', customer_email: 'other@example.com' },
      shipping_address: { receiver_name: null, receiver_phone: null },
    },
  },
  woocommerce: {
    more: {
      billing: { ...person, phone: '+966500000000', email: 'sara@example.com', address_1: 'Elsewhere 1' },
      shipping: { ...person, phone: '+966500000001', address_1: 'King Fahd Road', city: 'Riyadh' },
      customer_note: 'Knock twice',
      fee_lines: [],
      shipping_lines: [{ method_id: 'local_pickup' }],
    },
    required: ['id'],
    nulls: {
      line_items: { products: [], skus: [] },
      customer_note: { comment: null },
      billing: { customer_name: null, customer_phone: null, customer_email: null },
      shipping_lines: { fulfillment_method: null },
    },
  },
  salla: {
    more: {
      customer: { ...person, mobile: '500000000', mobile_code: '+966', email: 'sara@example.com' },
      shipping: {
        receiver: { name: 'Noura', phone: '+966500000001' },
        address: { shipping_address: 'King Fahd Road', city: 'Riyadh' },
      },
      notes: 'Knock twice',
      source: 'store',
    },
    required: ['id'],
    nulls: {
      items: { products: [], skus: [] },
      notes: { comment: null },
      customer: { customer_name: null, customer_phone: null, customer_email: null },
      shipping: { shipping_address: null, receiver_name: null },
    },
  },
  zid: {
    wrap: (order) => order,
    more: {
      customer: { name: 'Sara', mobile: '+966500000000', email: 'sara@example.com' },
      consignee: { name: 'Noura', mobile: '+966500000001' },
      shipping: { address: { street: 'King Fahd Road', city: { name: 'Riyadh' } }, method: { code: 'pickup' } },
      customer_note: 'Knock twice',
      source_code: 'web',
      shipping_method_code: 'pickup',
      is_on_demand: false,
      requires_shipping: true,
    },
    required: ['id', 'order_total'],
    nulls: {
      products: { products: [], skus: [] },
      customer_note: { comment: null },
      customer: { customer_name: null, customer_phone: null, customer_email: null },
      consignee: { receiver_name: 'Sara' },
    },
  },
  magento2: {
    more: {
      customer_firstname: 'Sara',
      customer_lastname: 'Al-Otaibi',
      customer_email: 'sara@example.com',
      billing_address: { firstname: 'Other', telephone: '+966500000009', street: ['Elsewhere 1'], city: 'Jeddah' },
      extension_attributes: {
        shipping_assignments: [
          {
            shipping: {
              method: 'instore_pickup',
              address: { firstname: 'Noura', telephone: '+966500000001', street: ['King Fahd Road'], city: 'Riyadh' },
            },
          },
        ],
      },
      customer_note: 'Knock twice',
    },
    required: ['entity_id'],
    nulls: {
      items: { products: [], skus: [] },
      customer_note: { comment: null },
      payment: { payment_method: null },
      extension_attributes: { receiver_name: null, receiver_phone: null, fulfillment_method: null },
    },
  },
  hungerstation: {
    more: {
      customer: {
        ...person,
        phone_number: '+966500000000',
        email: 'sara@example.com',
        delivery_address: { street: 'King Fahd Road', city: 'Riyadh' },
      },
      comment: 'Knock twice',
      promised_for: '2026-11-15T10:00:00Z',
      isPreorder: true,
    },
    required: ['order_id'],
    nulls: {
      items: { products: [], skus: [] },
      comment: { comment: null },
      customer: { customer_name: null, customer_phone: null, shipping_address: null },
      promised_for: { promised_for: null },
    },
  },
  talabat: {
    more: {
      customer: { firstName: 'Sara', lastName: 'Al-Otaibi', mobilePhone: '+96550000000', email: 'sara@example.com' },
      comments: { customerComment: 'Knock twice' },
      pickup: null,
      discounts: [],
      preOrder: true,
      delivery: {
        expectedDeliveryTime: '2026-11-15T09:50:00.000Z',
        riderPickupTime: '2026-11-15T09:35:00.000Z',
        address: { street: 'Gulf Road', city: 'Kuwait' },
      },
    },
    required: ['token'],
    nulls: {
      products: { products: [], skus: [] },
      comments: { comment: null },
      customer: { customer_name: null, customer_phone: null, customer_email: null },
      delivery: { shipping_address: null, promised_for: null },
    },
  },
  jahez: {
    more: {
      customer_name: 'Sara',
      phone_number: '+966500000000',
      delivery_address: { address: 'King Fahd Road', city: 'Riyadh' },
      notes: 'Knock twice',
      created_at: '2026-11-15 12:00:00',
      status: 'A',
    },
    required: ['jahez_id'],
    nulls: {
      products: { products: [], skus: [] },
      notes: { comment: null },
      customer_name: { customer_name: null },
      delivery_address: { shipping_address: null },
    },
  },
  deliverect: {
    more: {
      customer: { name: 'Sara', phoneNumber: '+966500000000', email: 'sara@example.com' },
      deliveryAddress: { street: 'King Fahd Road', city: 'Riyadh' },
      note: 'Knock twice',
      deliveryIsAsap: false,
      deliveryTime: '2026-11-15T10:00:00Z',
      pickupTime: '2026-11-15T09:40:00Z',
      channelLink: 'link-1',
      taxes: [{ total: 200 }],
    },
    required: ['_id'],
    nulls: {
      note: { comment: null },
      items: { products: [], skus: [] },
      customer: { customer_name: null, customer_phone: null, customer_email: null },
      deliveryAddress: { shipping_address: null },
    },
  },
  ubereats: {
    wrap: (order) => order,
    more: {
      eater: {
        ...person,
        phone: '+966500000000',
        delivery: { location: { street_address: 'King Fahd Road', city: 'Riyadh' } },
      },
      estimated_ready_for_pickup_at: '2026-11-15T12:20:00+03:00',
    },
    required: ['id'],
    nulls: {
      cart: { products: [], skus: [] },
      eater: { customer_name: null, customer_phone: null, shipping_address: null },
      estimated_ready_for_pickup_at: { promised_for: null },
    },
  },
  'amazon-sp': {
    wrap: (order) => order,
    more: {
      PaymentMethod: 'Other',
      OrderType: 'StandardOrder',
      LatestDeliveryDate: '2026-11-18T09:00:00Z',
      IsISPU: true,
    },
    required: ['AmazonOrderId', 'OrderStatus'],
    nulls: {
      OrderItems: { products: [], skus: [] },
      BuyerInfo: { customer_name: null, customer_email: null },
      ShippingAddress: { shipping_address: null, receiver_name: null },
      LatestDeliveryDate: { promised_for: null },
    },
  },
  square: {
    wrap: (order) => ({ order }),
    more: {
      fulfillments: [
        {
          uid: 'f1',
          type: 'PICKUP',
          state: 'PROPOSED',
          pickup_details: {
            pickup_at: '2026-11-15T10:00:00Z',
            recipient: {
              display_name: 'Sara',
              phone_number: '+966500000000',
              address: { address_line_1: 'King Fahd Road', locality: 'Riyadh' },
            },
          },
        },
      ],
      note: 'Knock twice',
      taxes: [],
      tenders: [{ type: 'CASH', amount_money: { amount: 3916, currency: 'SAR' } }],
    },
    required: ['id'],
    nulls: {
      line_items: { products: [], skus: [] },
      note: { comment: null },
      fulfillments: { customer_name: null, shipping_address: null, promised_for: null, fulfillment_method: null },
      tenders: { payment_method: null },
    },
  },
  foodics: {
    more: {
      combos: [
        {
          id: 'combo-9',
          quantity: 1,
          discount_type: 2,
          discount_amount: 1,
          products: [{ product: { id: 'p3', name: 'Burger' }, quantity: 1, unit_price: 15 }],
        },
      ],
      // 46 + 15 - 6 - 1 - 5 + 10
      total_price: 59,
      rounding_amount: 0,
      customer: { name: 'Sara', dial_code: 966, phone: '500000000', email: 'sara@example.com' },
      customer_address: { description: 'King Fahd Road' },
      customer_notes: 'Knock twice',
      kitchen_notes: null,
      due_at: '2026-11-15 10:00:00',
      payments: [{ amount: 59, payment_method: { name: 'Mada', type: 2 } }],
    },
    required: ['id'],
    nulls: {
      customer_notes: { comment: null },
      customer: { customer_name: null, customer_phone: null, receiver_name: null },
      customer_address: { shipping_address: null },
      payments: { payment_method: null },
      due_at: { promised_for: null },
    },
  },
  till: own,
  generic: own,
};
