import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';

export type OwnShop = { id: string; name: string; owner: { email: string; password: string; token: string } };

const PASSWORD = 'correct horse battery';
let opened = 0;

/** An organization of a journey's own, opened by the operator, so that no other journey shares its team, keys and status. */
export async function openOwnShop({ service, logins }: ConsoleTests): Promise<OwnShop> {
  opened += 1;
  const { baseUrl } = service();
  const name = `Own Shop ${opened}`;
  const email = `owner-${opened}@own.example`;
  const { body: shop } = await call(baseUrl, 'POST /commercial/organizations', {
    token: logins().commercial.token,
    body: { name_en: name, name_ar: `متجر ${opened}`, owner_email: email, plan: 'standard' },
  });
  const accepted = await call(baseUrl, 'POST /auth/invitations/accept', {
    body: { token: String(shop.invite_url).split('token=')[1], name: `Owner ${opened}`, password: PASSWORD },
  });
  if (accepted.status !== 200) throw new Error(`the shop did not open: ${accepted.status} ${accepted.text}`);
  return { id: shop.id, name, owner: { email, password: PASSWORD, token: accepted.body.access_token } };
}
