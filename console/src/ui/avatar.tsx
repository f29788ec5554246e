import type { CSSProperties, ReactNode } from 'react';
import './avatar.css';

const HUES = 12;

/** Initials on a colour that stays the same for an id. Decoration: the name stands beside it. */
export function Avatar({ id, name }: { id: string; name: string }): ReactNode {
  return (
    <span className="ui-avatar" style={{ '--avatar-hue': hueOf(id) } as CSSProperties} aria-hidden="true">
      <bdi>{initialsOf(name)}</bdi>
    </span>
  );
}

export function WithAvatar(props: { id: string; name: string; children: ReactNode }): ReactNode {
  return (
    <span className="ui-avatar-beside">
      <Avatar id={props.id} name={props.name} />
      {props.children}
    </span>
  );
}

/** First letters of the first and the last word; of an e-mail address, those of the part before the @. */
export function initialsOf(name: string): string {
  // The Arabic article is no initial: «سارة الحربي» is «سح».
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).map((word) => word.replace(/^ال(?=.{2})/, ''));
  const letters = words.flatMap((word) => word.match(/\p{L}|\p{N}/u)?.[0] ?? []);
  const chosen = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  // Joined Arabic letters would read as a word.
  return chosen.join('\u200c').toLocaleUpperCase('en');
}

function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return (hash % HUES) * (360 / HUES);
}
