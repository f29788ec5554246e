import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { type PushedOrder, type VendorCall, type VendorClient, VendorRefused } from '../contract.ts';
import { exactJson } from './calls.ts';

/** The response to a call: any JSON value, undefined for a body without JSON, an Error to reject with. */
export type Answer = (call: VendorCall) => unknown;

/** A vendor double: records calls and returns the configured responses. */
export function vendorOf(answer: Answer = () => ({})): { client: VendorClient; calls: VendorCall[] } {
  const calls: VendorCall[] = [];
  const client: VendorClient = {
    async call(call) {
      calls.push(call);
      const said = answer(call);
      if (said instanceof Error) throw said;
      return { status: 200, json: said === undefined ? undefined : parseExactJson(exactJson(said)) };
    },
  };
  return { client, calls };
}

/** By `GET /path`; unknown routes are refused. */
export function byRoute(answers: Readonly<Record<string, unknown>>): Answer {
  return (call) => {
    const said = answers[`${call.method} ${call.path}`] ?? new VendorRefused(404, 'Not found');
    return typeof said === 'function' ? said(call) : said;
  };
}

/** Each response once, in this order. */
export function inTurn(...answers: readonly unknown[]): Answer {
  const left = [...answers];
  return ({ method, path }) => {
    if (left.length === 0) throw new Error(`No answer left for ${method} ${path}`);
    return left.shift();
  };
}

export function pushedOrder({ payload = {}, ...order }: Omit<Partial<PushedOrder>, 'payload'> & { payload?: unknown }) {
  const pushed: PushedOrder = {
    id: '42',
    ownId: 'ours',
    status: 'RECEIVED',
    note: undefined,
    fulfillmentMethod: null,
    storeId: null,
    ...order,
    payload: readerOf(payload),
  };
  return pushed;
}
