import { type Dukkan, DukkanError, type Schemas } from '@dukkan/sdk';
import type { Language } from '../../../i18n/index.ts';
import { readLineNames } from '../use-line-names.ts';
import { type InvoiceDocument, readInvoiceXml } from './read-invoice-xml.ts';
import type { SlipKind } from './slip.tsx';

type Order = Schemas['CanonicalOrder'];
export type PaperKind = SlipKind | 'invoice';

/** One sheet of paper, with everything that it shows: nothing is read while the browser prints. */
export type Paper =
  | { kind: SlipKind; order: Order; names: readonly string[] }
  | { kind: 'invoice'; id: string; invoice: Schemas['Invoice']; document: InvoiceDocument };

const AT_ONCE = 4;

/** The papers of the orders in their order. Orders without an invoice have none. */
export async function collectPapers(
  api: Dukkan,
  kind: PaperKind,
  orders: readonly Order[],
  names: { language: Language; mayReadProducts: boolean },
): Promise<Paper[]> {
  const papers: Paper[] = [];
  for (let done = 0; done < orders.length; done += AT_ONCE) {
    const group = orders.slice(done, done + AT_ONCE);
    const read = (order: Order) =>
      kind === 'invoice' ? readInvoice(api, order.id) : readSlip(api, kind, order, names);
    papers.push(...(await Promise.all(group.map(read))).filter((paper) => paper !== undefined));
  }
  return papers;
}

async function readInvoice(api: Dukkan, id: string): Promise<Paper | undefined> {
  try {
    const [invoice, xml] = await Promise.all([
      api.call('getInvoice', { path: { id } }),
      api.call('getInvoice', { path: { id }, query: { format: 'xml' } }),
    ]);
    return { kind: 'invoice', id, invoice, document: readInvoiceXml(xml) };
  } catch (error) {
    if (error instanceof DukkanError && error.status === 404) return undefined;
    throw error;
  }
}

async function readSlip(
  api: Dukkan,
  kind: SlipKind,
  order: Order,
  { language, mayReadProducts }: { language: Language; mayReadProducts: boolean },
): Promise<Paper> {
  return { kind, order, names: await readLineNames(api, order, language, mayReadProducts) };
}
