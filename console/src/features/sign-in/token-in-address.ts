/** After the `#`, so that it is in no log; removed from the address at once, so that it is in no history. */
export function tokenInAddress(): string | undefined {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token === null || token === '') return undefined;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
