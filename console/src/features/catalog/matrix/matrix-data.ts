import type { Schemas } from '@dukkan/sdk';

export type Product = Schemas['Product'];
export type Sku = Pick<Schemas['Sku'], 'iv_id' | 'price' | 'current_qty' | 'reorder_threshold' | 'is_enabled'>;
/** One product in its branches, by the branch's code. */
export type Shelf = ReadonlyMap<string, Sku>;

export type MatrixSource = {
  products(page: number, signal: AbortSignal): Promise<{ rows: Product[]; total: number }>;
  shelf(ivId: string, signal: AbortSignal): Promise<Shelf>;
};
export type MatrixData = ReturnType<typeof createMatrixData>;

export const PER_PAGE = 100;
const PAGES_AT_ONCE = 2;
const SHELVES_AT_ONCE = 6;
/** Rows loaded beyond the visible ones, so that a step of the wheel finds them ready. */
const AHEAD = 10;
const SETTLES_MS = 60;
const PAGES_KEPT = 40;
const SHELVES_KEPT = 600;

/**
 * The visible part of a list of any length: its products by page, and the stock of each visible product. A request is chosen from
 * the visible rows when a connection is free, so dragging through 100,000 rows loads only where the drag ends. Rows far
 * away are dropped again.
 */
export function createMatrixData(source: MatrixSource) {
  const pages = new Map<number, Product[]>();
  const shelves = new Map<string, Shelf>();
  const pending = new Set<string>();
  const listeners = new Set<() => void>();
  let ended = new AbortController();
  let total: number | undefined;
  let error: unknown;
  let version = 0;
  let inSight = { first: 0, last: 30 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isToldSoon = false;

  /** Notifies once a frame, regardless of the number of answers. */
  function changed(): void {
    version += 1;
    if (isToldSoon) return;
    isToldSoon = true;
    requestAnimationFrame(() => {
      isToldSoon = false;
      for (const listener of [...listeners]) listener();
    });
  }
  const productAt = (index: number) => pages.get(Math.floor(index / PER_PAGE) + 1)?.[index % PER_PAGE];
  const countPending = (kind: string) => [...pending].filter((name) => name.startsWith(kind)).length;

  function* wantedPages(): Generator<number> {
    const first = Math.floor(Math.max(0, inSight.first - AHEAD) / PER_PAGE) + 1;
    const end = Math.min(inSight.last + AHEAD, (total ?? 1) - 1);
    for (let page = first; page <= Math.floor(Math.max(0, end) / PER_PAGE) + 1; page += 1) {
      if (!pages.has(page) && !pending.has(`page ${page}`)) yield page;
    }
  }
  function* wantedShelves(): Generator<string> {
    for (let index = Math.max(0, inSight.first - AHEAD); index <= inSight.last + AHEAD; index += 1) {
      const ivId = productAt(index)?.iv_id;
      if (ivId !== undefined && !shelves.has(ivId) && !pending.has(`shelf ${ivId}`)) yield ivId;
    }
  }
  function pump(): void {
    const { signal } = ended;
    if (signal.aborted || error !== undefined) return;
    for (const page of wantedPages()) {
      if (countPending('page') >= PAGES_AT_ONCE) break;
      void load(`page ${page}`, signal, async () => {
        const answer = await source.products(page, signal);
        total = answer.total;
        pages.set(page, answer.rows);
      });
    }
    for (const ivId of wantedShelves()) {
      if (countPending('shelf') >= SHELVES_AT_ONCE) break;
      void load(`shelf ${ivId}`, signal, async () => {
        shelves.set(ivId, await source.shelf(ivId, signal));
      });
    }
  }
  async function load(name: string, signal: AbortSignal, read: () => Promise<void>): Promise<void> {
    pending.add(name);
    try {
      await read();
      forget();
    } catch (reason) {
      if (signal.aborted) return;
      error = reason;
    } finally {
      pending.delete(name);
    }
    changed();
    pump();
  }
  function forget(): void {
    const here = Math.floor(inSight.first / PER_PAGE) + 1;
    if (pages.size > PAGES_KEPT) {
      const farthest = [...pages.keys()].sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
      for (const page of farthest.slice(0, pages.size - PAGES_KEPT)) pages.delete(page);
    }
    // The oldest first; visible entries among them are read again.
    for (const ivId of shelves.keys()) {
      if (shelves.size <= SHELVES_KEPT) break;
      shelves.delete(ivId);
    }
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    version: () => version,
    total: () => total,
    error: () => error,
    productAt,
    shelfOf: (ivId: string) => shelves.get(ivId),
    find(ivId: string): Product | undefined {
      for (const rows of pages.values()) {
        const found = rows.find((row) => row.iv_id === ivId);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    /** Called with every step of a scroll. */
    see(first: number, last: number): void {
      inSight = { first, last };
      timer ??= setTimeout(
        () => {
          timer = undefined;
          pump();
        },
        total === undefined ? 0 : SETTLES_MS,
      );
    },
    retry(): void {
      error = undefined;
      changed();
      pump();
    },
    changeSku(ivId: string, branch: string, change: Partial<Sku>): void {
      const shelf = shelves.get(ivId);
      const sku = shelf?.get(branch);
      if (shelf === undefined || sku === undefined) return;
      shelves.set(ivId, new Map(shelf).set(branch, { ...sku, ...change }));
      changed();
    },
    changeProduct(ivId: string, change: Partial<Product>): void {
      for (const [page, rows] of pages) {
        const at = rows.findIndex((row) => row.iv_id === ivId);
        if (at !== -1) pages.set(page, rows.with(at, { ...(rows[at] as Product), ...change }));
      }
      changed();
    },
    /** A page that is mounted again continues where it was. */
    begin(): void {
      if (!ended.signal.aborted) return;
      ended = new AbortController();
      pump();
    },
    end(): void {
      ended.abort();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
