import { whenScopeEnds } from './scope.ts';

const addresses = new Set<string>();
whenScopeEnds(() => {
  for (const address of addresses) forget(address);
});

/** Saves a download under this name: a response fetched with the token has no address that a link could open. */
export function saveFile(name: string, content: Blob | string, type = 'text/csv;charset=utf-8'): void {
  const file = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  addresses.add(address);
  link.click();
  // Some browsers read the address a moment after the click.
  setTimeout(() => forget(address), 60_000);
}

function forget(address: string): void {
  addresses.delete(address);
  URL.revokeObjectURL(address);
}
