/** Hands a text to the browser as a file of its own name. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
/** Hands over a file that was fetched with the token: an address alone would open nothing. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes its copy when the click is through.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  // The browser has begun to save once the click is through; some look at the address a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
