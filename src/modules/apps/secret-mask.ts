const MASK = '••••';
/** Four characters would be half of a shorter secret. */
const SHORTEST_SHOWN = 8;

export function masked(secret: string): string {
  return secret.length < SHORTEST_SHOWN ? MASK : `${MASK}${secret.slice(-4)}`;
}

export function looksMasked(text: string): boolean {
  return text.startsWith(MASK);
}
