/** Messages whose kebab-case form would be too vague or too long. */
const WORDS: Record<string, string> = {
  'Valid API key required': 'unauthenticated',
  'Too many requests': 'rate-limited',
  'Service unavailable': 'unavailable',
  'Payment is being changed': 'being-changed',
  'Order is being changed': 'being-changed',
  'The last owner can be neither removed nor demoted nor confined': 'last-owner',
};

const MAX_CHARACTERS = 64;

/**
 * The machine-readable reason of a refusal: its message in kebab-case (`Branch not found` is `branch-not-found`). Rejected: a separate
 * list of codes, which would have to be maintained by hand.
 */
export function reasonOf(sentence: string): string {
  const word = sentence
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return WORDS[sentence] ?? (word || 'refused');
}
