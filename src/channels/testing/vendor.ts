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
import { type VendorCall, type VendorClient, VendorRefused } from '../contract.ts';

export type AnsweringVendor = VendorClient & { calls: VendorCall[] };

/** A vendor that answers by `GET /path`, is asked in plain sight, and refuses what it does not know. */
export function vendorOf(answers: Record<string, unknown>): AnsweringVendor {
  const calls: VendorCall[] = [];
  return {
    calls,
    async call(call) {
      calls.push(call);
      const answer = answers[`${call.method} ${call.path}`];
      if (answer === undefined) throw new VendorRefused(404, 'Not found');
      if (answer instanceof Error) throw answer;
      return { status: 200, json: typeof answer === 'function' ? answer(call) : answer };
    },
  };
}
