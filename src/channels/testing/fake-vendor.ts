import { readerOf } from '../../platform/inbound/index.ts';
import type { PushedOrder, VendorCall, VendorClient } from '../contract.ts';

/** Stands in for a vendor: keeps what it is asked, and answers with what it was given. */
export function fakeVendor(json: unknown = undefined): { client: VendorClient; calls: VendorCall[] } {
  const calls: VendorCall[] = [];
  return {
    calls,
    client: {
      async call(call) {
        calls.push(call);
        return { status: 200, json };
      },
    },
  };
}

export function pushedOrder(order: Partial<Omit<PushedOrder, 'payload'>> & { payload?: unknown }): PushedOrder {
  return {
    id: 'vendor-1',
    ownId: 'own-1',
    status: 'RECEIVED',
    note: undefined,
    fulfillmentMethod: null,
    storeId: null,
    ...order,
    payload: readerOf(order.payload ?? {}),
  };
}
