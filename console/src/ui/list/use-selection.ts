import { useState } from 'react';

export type Selection<Row> = {
  rows: readonly Row[];
  has(row: Row): boolean;
  toggle(row: Row): void;
  setAll(rows: readonly Row[], isOn: boolean): void;
  keepOnly(keys: ReadonlySet<string>): void;
  clear(): void;
};

/** Selected rows. They stay selected across pages and filters. */
export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  function change(edit: (map: Map<string, Row>) => void): void {
    setSelected((before) => {
      const after = new Map(before);
      edit(after);
      return after;
    });
  }
  return {
    rows: [...selected.values()],
    has: (row) => selected.has(keyOf(row)),
    toggle: (row) => change((map) => void (map.delete(keyOf(row)) || map.set(keyOf(row), row))),
    setAll: (rows, isOn) =>
      change((map) => {
        for (const row of rows) {
          if (isOn) map.set(keyOf(row), row);
          else map.delete(keyOf(row));
        }
      }),
    keepOnly: (keys) =>
      change((map) => {
        for (const key of [...map.keys()]) if (!keys.has(key)) map.delete(key);
      }),
    clear: () => setSelected(new Map()),
  };
}
