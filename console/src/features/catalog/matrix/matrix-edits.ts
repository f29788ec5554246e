import type { Product, Sku } from './matrix-data.ts';

export type SkuEdit = {
  of: 'sku';
  /** Of the SKU. */
  ivId: string;
  product: string;
  branch: string;
  before: Partial<Sku>;
  after: Partial<Sku>;
};
export type ProductEdit = {
  of: 'product';
  product: string;
  /** The product before the edit, for a row that is no longer loaded. */
  whole: Product;
  before: Partial<Product>;
  after: Partial<Product>;
};
export type Edit = SkuEdit | ProductEdit;

export type Refused = { edit: Edit; reason: unknown };
type Calls = {
  /** Each item fails by itself: reasons by SKU. */
  skus(items: { iv_id: string; change: Partial<Sku> }[]): Promise<Map<string, unknown>>;
  /** `base` is the product before the change; returns it as it is stored now. */
  product(base: Product, change: Partial<Product>): Promise<Product>;
};
type EditListener = {
  /** Shows the values of an edit at once, forwards or backwards. */
  show(edit: Edit, values: 'before' | 'after'): void;
  latest(product: string): Product | undefined;
  /** The product as it is stored now, without the fields of edits that are not yet sent. */
  stored(product: string, values: Partial<Product>): void;
  /** After the last response of a run. */
  done(saved: Edit[][], refused: Refused[]): void;
  busy(isBusy: boolean): void;
};

const WAIT_MS = 250;
const QUIET_MS = 700;
const PER_CALL = 100;
const UNDO_KEPT = 200;
/** The user chose the value of another user: nothing to report and nothing to undo. */
const KEPT_THEIRS = Symbol('kept theirs');

/**
 * Edits are shown at once and sent in batches; refused edits are reverted. A group is one action of the user, such as a paste,
 * and is undone as one.
 */
export function createEdits(calls: Calls, listener: EditListener) {
  let waiting: Edit[] = [];
  let undoable: Edit[][] = [];
  let recent: Edit[][] = [];
  let refusedRecently: Refused[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;

  function add(group: Edit[]): void {
    for (const edit of group) listener.show(edit, 'after');
    waiting.push(...group);
    clearTimeout(quiet);
    listener.busy(true);
    timer ??= setTimeout(() => void send(), WAIT_MS);
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (isSending) return;
    isSending = true;
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, PER_CALL);
        waiting = waiting.slice(PER_CALL);
        const refused = [...(await sendSkus(batch)), ...(await sendProducts(batch))];
        refusedRecently.push(...refused);
        for (const { edit } of refused) if (edit.of === 'sku') takeBack(edit);
      }
    } finally {
      isSending = false;
    }
    listener.busy(false);
    quiet = setTimeout(report, refusedRecently.length > 0 ? 0 : QUIET_MS);
  }
  /** The same cell was edited again meanwhile: the later edit stays. */
  const isOvertaken = (edit: Edit) => waiting.some((other) => isSameCell(edit, other));

  function takeBack(edit: Edit): void {
    if (!isOvertaken(edit)) listener.show(edit, 'before');
  }
  async function sendSkus(batch: readonly Edit[]): Promise<Refused[]> {
    const edits = batch.filter((edit): edit is SkuEdit => edit.of === 'sku');
    if (edits.length === 0) return [];
    // The last value of each cell.
    const changes = new Map<string, Partial<Sku>>();
    for (const { ivId, after } of edits) changes.set(ivId, { ...changes.get(ivId), ...after });
    // Reverted in reverse order, so that the oldest value is restored.
    const backwards = edits.toReversed();
    try {
      const reasons = await calls.skus([...changes].map(([iv_id, change]) => ({ iv_id, change })));
      return backwards.flatMap((edit) => (reasons.has(edit.ivId) ? [{ edit, reason: reasons.get(edit.ivId) }] : []));
    } catch (reason) {
      return backwards.map((edit) => ({ edit, reason }));
    }
  }
  async function sendProducts(batch: readonly Edit[]): Promise<Refused[]> {
    const refused: Refused[] = [];
    for (const edit of batch) {
      if (edit.of !== 'product') continue;
      try {
        // The loaded row shows the edit already.
        const base = { ...(listener.latest(edit.product) ?? edit.whole), ...edit.before };
        const stored = await calls.product(base, edit.after);
        showStored(stored, batch.slice(batch.indexOf(edit) + 1));
        if (!hasValues(stored, edit.after)) refused.push({ edit, reason: KEPT_THEIRS });
      } catch (reason) {
        takeBack(edit);
        refused.push({ edit, reason });
      }
    }
    return refused;
  }
  /** Also what other users have changed, and the version for the next edit of the row. */
  function showStored(product: Product, unsent: readonly Edit[]): void {
    const edited = [...unsent, ...waiting].filter((edit) => edit.of === 'product' && edit.product === product.iv_id);
    const fields = new Set(edited.flatMap((edit) => Object.keys(edit.after)));
    const values = Object.fromEntries(Object.entries(product).filter(([field]) => !fields.has(field)));
    listener.stored(product.iv_id, values);
  }
  function report(): void {
    const failed = new Set(refusedRecently.map(({ edit }) => edit));
    const saved = recent.map((group) => group.filter((edit) => !failed.has(edit))).filter((group) => group.length > 0);
    undoable = undoable.map((group) => group.filter((edit) => !failed.has(edit))).filter((group) => group.length > 0);
    listener.done(
      saved,
      refusedRecently.filter(({ reason }) => reason !== KEPT_THEIRS),
    );
    recent = [];
    refusedRecently = [];
  }

  return {
    make(group: Edit[]): void {
      if (group.length === 0) return;
      undoable = [...undoable, group].slice(-UNDO_KEPT);
      recent.push(group);
      add(group);
    },
    /** Undoes the last group, or the given ones; returns the number of cells. */
    undo(named?: readonly Edit[][]): number {
      const groups = named ?? undoable.slice(-1);
      const taken = undoable.filter((group) => groups.some((one) => one.some((edit) => group.includes(edit))));
      undoable = undoable.filter((group) => !taken.includes(group));
      recent = recent.filter((group) => !taken.includes(group));
      const back = taken.flat().toReversed();
      if (back.length > 0) add(back.map((edit) => ({ ...edit, before: edit.after, after: edit.before }) as Edit));
      return back.length;
    },
    /** Before the page is left. */
    flush: () => void send(),
  };
}

function hasValues(product: Product, values: Partial<Product>): boolean {
  return Object.entries(values).every(([field, value]) => product[field as keyof Product] === value);
}

function isSameCell(a: Edit, b: Edit): boolean {
  if (a.of === 'sku' && b.of === 'sku') {
    return a.ivId === b.ivId && Object.keys(a.after).some((field) => field in b.after);
  }
  return a.of === b.of && a.product === b.product && Object.keys(a.after).some((field) => field in b.after);
}
