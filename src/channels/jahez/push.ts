import { type AppSettings, type Credentials, type PushedOrder, tokenOf, type VendorClient } from '../contract.ts';

/** The vendor does not say how long a token lives: asked for anew as often as costs nothing. */
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

/** The shop takes an order or turns it away; from there on it is the vendor's riders who say what happens. */
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

/** The vendor's ids are integers; one that a float would change stays the text it is. */
function numberOf(id: string): number | string {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
