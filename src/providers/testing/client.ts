import { exactJson } from '../../channels/testing/calls.ts';
import { parseExactJson } from '../../platform/inbound/index.ts';
import type { VendorCall, VendorClient } from '../contract.ts';

/** A provider that answers from a list, each entry once and in order: JSON, or an error to reject with. Keeps what it was asked. */
export function answering(...answers: unknown[]): { client: VendorClient; calls: VendorCall[] } {
  const calls: VendorCall[] = [];
  const client: VendorClient = {
    async call(call) {
      calls.push(call);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new Error(`No answer left for ${call.method} ${call.path}`);
      return { status: 200, json: parseExactJson(exactJson(answer)) };
    },
  };
  return { client, calls };
}
