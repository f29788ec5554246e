/** Sentences whose words say too little, or too much, for a program to hold on to. */
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
 * The machine word of a refusal: its sentence in kebab-case, since that stays the same (`Branch not found` is
 * `branch-not-found`). A list of codes beside the sentences was the other way; it would have to be kept right by hand.
 */
export function reasonOf(sentence: string): string {
  const word = sentence
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return WORDS[sentence] ?? (word || 'refused');
}
