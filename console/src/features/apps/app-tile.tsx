import type { ReactNode } from 'react';

/** The first letter of an app, instead of the vendor's trademark. */
export function AppTile({ name }: { name: string }): ReactNode {
  return (
    <span className="apps-tile" aria-hidden="true">
      {name.replace(/^ال(?=.{2})/, '').slice(0, 1)}
    </span>
  );
}
