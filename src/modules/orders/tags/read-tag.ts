import { unprocessable } from '../../../platform/http/problem.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import type { OrderTag } from '../sql/tags.ts';
import { MAX_TAG_CHARACTERS } from './tags-schema.ts';

/** Two tags with the same key are the same tag. */
export const tagKeyOf = (tag: string): string => foldForSearch(tag);

/** The tags of a request, or 422 with the fault of each by `tags.<index>`. */
export function readTags(given: readonly string[]): OrderTag[] {
  const tags = given.map((text) => ({ tag: text.trim(), key: tagKeyOf(text) }));
  const faults = tags.flatMap(({ tag, key }, index): [string, string][] => {
    const fault = faultOf(tag, key);
    if (fault !== undefined) return [[`tags.${index}`, fault]];
    const isRepeated = tags.findIndex((other) => other.key === key) < index;
    return isRepeated ? [[`tags.${index}`, 'repeats another tag']] : [];
  });
  if (faults.length > 0) throw unprocessable(Object.fromEntries(faults));
  return tags;
}

function faultOf(tag: string, key: string): string | undefined {
  // A key is empty for characters that are invisible alone, such as a tatweel.
  if (key === '' || [...tag].length > MAX_TAG_CHARACTERS) return `must have 1 to ${MAX_TAG_CHARACTERS} characters`;
  if (/\p{Cc}/u.test(tag)) return 'must not contain control characters';
  return undefined;
}
