/** Hands over a file that was fetched with the token: an address alone would open nothing. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save once the click is through; some look at the address a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
