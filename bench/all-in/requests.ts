import { type BenchInstall, nextOrderId, signedCall } from '../ingest/payloads.ts';
import type { RequestMaker } from '../load/plan.ts';
import { newOrderBody } from '../orders/fill.ts';

const FIRST_NAMES = ['نورة', 'سارة', 'محمد', 'عبدالله', 'فاطمة', 'Omar', 'Layla', 'Yousef', 'Huda', 'Khalid', 'ريم'];
const LAST_NAMES = ['العتيبي', 'القحطاني', 'الحربي', 'الشمري', 'Hassan', 'Saleh', 'Nasser', 'الغامدي', 'Haddad'];
/** Coprime with the number of customers: successive orders are of customers far apart, as in a shop. */
const STEP = 7_919;
const CUSTOMERS = 20_000;

export type Customer = { name: string; phone: string; email: string };

/**
 * Customers differ between orders: with a single one, every index on customers would be written to at one place and
 * its equal entries stored once.
 */
export function customerOf(index: number): Customer {
  const number = (index * STEP) % CUSTOMERS;
  const first = FIRST_NAMES[number % FIRST_NAMES.length];
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length];
  const phone = `+9665${String(10_000_000 + number * 4_391)}`;
  return { name: `${first} ${last}`, phone, email: `c${number}@shop.example` };
}

export type Params = { token: string; installs: BenchInstall[] };

let made = Math.floor(Math.random() * CUSTOMERS);
function nextOrder(): Record<string, unknown> {
  made += 1;
  const { name, phone, email } = customerOf(made);
  return { ...newOrderBody(), customer_name: name, customer_phone: phone, customer_email: email };
}

export const singleOrders: RequestMaker<Params> = ({ token }) => {
  const headers = { Authorization: `Bearer ${token}` };
  return () => ({ path: '/api/v1/orders', headers, body: nextOrder() });
};

export const BULK_ORDERS = 100;

export const bulkOrders: RequestMaker<Params> = ({ token }) => {
  const headers = { Authorization: `Bearer ${token}` };
  return () => ({
    path: '/api/v1/orders/bulk',
    headers,
    body: { mode: 'create', orders: Array.from({ length: BULK_ORDERS }, nextOrder) },
  });
};

export const vendorPayloads: RequestMaker<Params> = ({ installs }) => {
  let sent = 0;
  return () => {
    sent += 1;
    // Never undefined: there are installs.
    return signedCall(installs[sent % installs.length] as BenchInstall, nextOrderId());
  };
};
