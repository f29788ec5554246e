/** A folder of the service and a table that one of its statements names. */
export type Touch = { who: string; table: string; file: string };

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm;
const NAMED =
  /\b(?:from|join|into|update|using|truncate(?:\s+table)?|lock\s+table)\s+(?:only\s+)?(?:public\.)?(\w+)|\bnull::(\w+)|\b(?:tableOf|groupTable|table|insertValues)(?:<\w+>)?\((?:[\w.?]+, )*'(\w+)/gi;

/** Tables that SQL statements in this text name. So are tables of a group (`groupTable`). Another name passed as a parameter is not found. */
export function tablesIn(text: string, known: { has(name: string): boolean }): string[] {
  const names = [...text.replace(COMMENTS, '').matchAll(NAMED)].map(([, named, typed, passed]) =>
    String(named ?? typed ?? passed),
  );
  return [...new Set(names.filter((name) => known.has(name)))];
}

export function findTouches(file: string, text: string, known: { has(name: string): boolean }): Touch[] {
  const who =
    /^(?:modules\/commercial|modules|platform|channels|providers)\/[^/]+(?=\/)|^[^/]+/.exec(file)?.[0] ?? file;
  return tablesIn(text, known).map((table) => ({ who, table, file }));
}
