import { whenScopeEnds } from './scope.ts';

const addresses = new Set<string>();
whenScopeEnds(() => {
  for (const address of addresses) forget(address);
});

/** Hands something over as a file of this name: what was fetched with the token has no address that a link could open. */
export function saveFile(name: string, content: Blob | string, type = 'text/csv;charset=utf-8'): void {
  const file = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  addresses.add(address);
  link.click();
  // The browser takes its copy when the click is through; some look at the address a moment later.
  setTimeout(() => forget(address), 60_000);
}

function forget(address: string): void {
  addresses.delete(address);
  URL.revokeObjectURL(address);
}
