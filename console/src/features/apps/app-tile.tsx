import type { ReactNode } from 'react';

/** Stands for an app: its first letter. Vendors' own marks are theirs. */
export function AppTile({ name }: { name: string }): ReactNode {
  return (
    <span className="apps-tile" aria-hidden="true">
      {name.slice(0, 1)}
    </span>
  );
}
