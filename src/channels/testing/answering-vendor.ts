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
