import type { Dukkan, Schemas } from '@dukkan/sdk';
import { useRef, useState } from 'react';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { type GroupIds, type ImportFault, type ImportFile, type ImportRow, readProducts } from './product-rows.ts';

export type Rejected = { row: ImportRow; reason: string };
export type Mode = Schemas['BulkMode'];
export type ImportState =
  | { phase: 'none' }
  | { phase: 'reading' }
  | { phase: 'faulty'; fault: ImportFault }
  | { phase: 'unreadable'; error: unknown }
  | { phase: 'read'; file: ImportFile }
  | { phase: 'sending'; file: ImportFile; done: number; total: number }
  | { phase: 'done'; file: ImportFile; saved: number; rejected: Rejected[]; error?: unknown; isStopped: boolean };

/** Small enough for visible progress, large enough that 100,000 rows need some hundred calls. */
const PER_CALL = 250;

export function useImport() {
  const api = useApi();
  const readAgain = useReadAgain();
  const [state, setState] = useState<ImportState>({ phase: 'none' });
  const isStopped = useRef(false);

  async function read(file: File): Promise<void> {
    setState({ phase: 'reading' });
    try {
      const answer = await readProducts(file, (needed) => readGroupIds(api, needed));
      setState('kind' in answer ? { phase: 'faulty', fault: answer } : { phase: 'read', file: answer });
    } catch (error) {
      setState({ phase: 'unreadable', error });
    }
  }

  async function send(file: ImportFile, mode: Mode): Promise<void> {
    const rows = file.rows.filter(({ wrong }) => wrong.length === 0);
    const rejected: Rejected[] = [];
    isStopped.current = false;
    let done = 0;
    let error: unknown;
    while (done < rows.length && !isStopped.current) {
      setState({ phase: 'sending', file, done, total: rows.length });
      const batch = rows.slice(done, done + PER_CALL);
      try {
        const body = { mode, products: batch.map(({ product }) => product) };
        const { data } = await api.call('saveProducts', { body });
        for (const row of batch) {
          const reason = data.errors[row.product.iv_id];
          if (reason !== undefined) rejected.push({ row, reason });
        }
      } catch (reason) {
        error = reason;
        break;
      }
      done += batch.length;
    }
    setState({
      phase: 'done',
      file,
      saved: done - rejected.length,
      rejected,
      isStopped: isStopped.current && done < rows.length,
      ...(error === undefined ? {} : { error }),
    });
    await readAgain('listProducts', 'getProduct', 'listSkus');
  }

  return {
    state,
    read,
    send,
    stop: () => {
      isStopped.current = true;
    },
    again: () => setState({ phase: 'none' }),
  };
}

/** Files name brands, the service takes ids. */
async function readGroupIds(api: Dukkan, needed: { brand: boolean; category: boolean }): Promise<GroupIds> {
  const brand = new Map<string, string>();
  const category = new Map<string, string>();
  for (const [isNeeded, operation, ids] of [
    [needed.brand, 'listBrands', brand],
    [needed.category, 'listCategories', category],
  ] as const) {
    for (let page = 1, isMore = isNeeded; isMore; page += 1) {
      const { data, has_next } = await api.call(operation, { query: { page, limit: 100 } });
      for (const { id, name_en, name_ar } of data) {
        for (const name of [name_en, name_ar]) if (name !== '') ids.set(name.trim().toLowerCase(), id);
      }
      isMore = has_next;
    }
  }
  return { brand, category };
}
