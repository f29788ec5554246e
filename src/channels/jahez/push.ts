import { type AppSettings, type Credentials, type PushedOrder, tokenOf, type VendorClient } from '../contract.ts';

/** The lifetime of a token is not documented: short enough to be safe, long enough to cost little. */
const TOKEN_LIFE_SECONDS = 900;

export function credentials({ client_id, client_secret }: AppSettings): Credentials {
  if (client_id === undefined) return { kind: 'missing', setting: 'client_id' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  const key = { 'x-api-key': client_id };
  return {
    kind: 'token',
    request: { method: 'POST', path: '/token', headers: key, json: { secret: client_secret }, isRepeatable: true },
    read(answer) {
      const { token, livesForSeconds } = tokenOf(answer, {
        names: ['token', 'access_token'],
        livesForSeconds: TOKEN_LIFE_SECONDS,
      });
      return { headers: { ...key, authorization: `Bearer ${token}` }, livesForSeconds };
    },
  };
}

/** The merchant accepts or rejects an order; the vendor's riders report everything after that. */
export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  if (order.status !== 'RECEIVED' && order.status !== 'CANCELLED') return false;
  const isRejected = order.status === 'CANCELLED';
  await client.call({
    method: 'POST',
    path: '/webhooks/status_update',
    json: {
      jahezOrderId: numberOf(order.id),
      status: isRejected ? 'R' : 'A',
      ...(isRejected ? { reason: order.note ?? 'Cancelled by the shop' } : {}),
    },
  });
  return true;
}

/** The vendor's ids are integers; one beyond 2^53 is sent as text. */
function numberOf(id: string): number | string {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
