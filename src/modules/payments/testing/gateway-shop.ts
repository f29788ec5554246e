import type { ReplyBody } from '../../../../test/harness/index.ts';
import { GATEWAYS, KEY, type PaidReport } from './gateway-webhooks.ts';
import { type Installed, openPayShop } from './pay-shop.ts';

/** A shop with an install of every gateway. */
export async function openGatewayShop() {
  const at = await openPayShop();
  const installs: Record<string, Installed> = {};
  for (const [id, { slug, settings }] of Object.entries(GATEWAYS)) {
    installs[id] = await at.install(slug, { webhook_secret: KEY, ...settings });
  }
  let lastReference = 1000;
  const nextReference = () => {
    lastReference += 1;
    return String(lastReference);
  };

  const transactions = async (query = '') => (await at.ask(`GET /payments/transactions?limit=100${query}`)).body;
  const find = async (reference: string): Promise<ReplyBody> =>
    (await transactions()).data.find((row: ReplyBody) => row.provider_reference === reference);

  /** A webhook, of a payment that the gateway has unless `isUnknown`. */
  async function reportPaid(
    provider: string,
    report: Partial<PaidReport> & { order: string; amount: number; isUnknown?: boolean; install?: Installed },
  ) {
    const reference = report.reference ?? nextReference();
    const gateway = GATEWAYS[provider];
    if (gateway === undefined) throw new Error(`no gateway ${provider}`);
    const sent = gateway.paid({ at: new Date(), ...report, reference });
    const { payments } = at.vendors.shop(gateway.slug);
    if (sent.kept !== undefined && !report.isUnknown && !payments.has(reference)) payments.set(reference, sent.kept);
    const row = await at.deliver(report.install ?? (installs[provider] as Installed), sent.body, sent.headers);
    return { row, reference, sent };
  }

  return { at, installs, nextReference, transactions, find, reportPaid };
}
