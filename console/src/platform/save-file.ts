/** Hands a text to the browser as a file of its own name. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes its copy when the click is through.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
