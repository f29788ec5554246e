import type { ReactNode } from 'react';
import './product-picture.css';

const PIXELS = { small: 28, medium: 40, large: 56 } as const;

/**
 * The first image of a product beside its name, or its initials. Hidden from screen readers, which would hear the name twice. Its size is
 * fixed, so a list does not move when pictures arrive.
 */
export function ProductPicture(props: {
  images: readonly { url: string }[] | undefined;
  name: string;
  size?: keyof typeof PIXELS;
}): ReactNode {
  const { images, name, size = 'medium' } = props;
  const [first] = images ?? [];
  const pixels = PIXELS[size];
  return (
    <span className="product-picture" data-size={size} aria-hidden="true">
      {first === undefined ? (
        initialsOf(name)
      ) : (
        <img src={first.url} alt="" width={pixels} height={pixels} loading="lazy" decoding="async" draggable={false} />
      )}
    </span>
  );
}

/** Of the first two words. Apart from each other, since Arabic letters would join to a syllable. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('\u200c');
}
