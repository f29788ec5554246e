/** Of one direction each, whatever the direction of the text around it. */
const isolate = (part: string) => `\u2068${part}\u2069`;

/** The texts of an address in order, whatever the channel names its parts. */
export function addressIn(address: Record<string, unknown>): string {
  return Object.values(address)
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .map(isolate)
    .join(', ');
}
