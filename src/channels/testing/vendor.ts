import { readerOf } from '../../platform/inbound/index.ts';
import type { PushedOrder, VendorAnswer, VendorCall, VendorClient } from '../contract.ts';

/** A vendor that keeps what it was asked and answers as told; an Error it rejects with. */
export function vendorThatAnswers(answer: (call: VendorCall) => unknown = () => ({})): {
  calls: VendorCall[];
  client: VendorClient;
} {
  const calls: VendorCall[] = [];
  return {
    calls,
    client: {
      async call(call): Promise<VendorAnswer> {
        calls.push(call);
        const json = answer(call);
        if (json instanceof Error) throw json;
        return { status: 200, json };
      },
    },
  };
}

export function pushedOrder(more: Omit<Partial<PushedOrder>, 'payload'> & { payload?: unknown }): PushedOrder {
  const { payload = {}, ...rest } = more;
  return {
    id: '42',
    ownId: 'ours',
    status: 'DISPATCHED',
    note: undefined,
    fulfillmentMethod: null,
    storeId: null,
    ...rest,
    payload: readerOf(payload),
  };
}
