type Versioned = { updated: string };
export type FieldConflict<Fields> = { field: keyof Fields & string; mine: unknown; theirs: unknown };
export type ConflictChoice = 'mine' | 'theirs';

/** The fields that differ from the version that the form was opened with: others may have changed the rest since. */
export function changedFields<Fields extends object>(before: object, after: Fields): Partial<Fields> {
  const known = before as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => !isSame(known[field], value)),
  ) as Partial<Fields>;
}

/** `If-Match` for the version that the page shows. The ETag of a resource is its `updated` in quotes. */
export const ifMatch = ({ updated }: Versioned) => ({ 'if-match': `"${updated}"` });

/**
 * Sends changed fields with the version that they were made from. If the resource has changed since (412), fields that only this user
 * changed are sent again with the current version; for fields that both changed, `choose` decides.
 */
export async function saveFields<Shape extends object, Fields extends object>(given: {
  base: Shape;
  change: Fields;
  /** `latest` is the version that `ifMatch` names. */
  send(change: Fields, latest: Shape): Promise<Shape>;
  choose(conflicts: FieldConflict<Fields>[]): Promise<ConflictChoice>;
}): Promise<Shape> {
  let { base, change } = given;
  for (;;) {
    try {
      return await given.send(change, base);
    } catch (error) {
      const current = currentVersion<Shape>(error);
      if (current === undefined) throw error;
      const conflicts = conflictsOf(base, current, change);
      if (conflicts.length > 0 && (await given.choose(conflicts)) === 'theirs') {
        const dropped = conflicts.map(({ field }) => field);
        change = Object.fromEntries(
          Object.entries(change).filter(([field]) => !dropped.includes(field as never)),
        ) as Fields;
        if (Object.keys(change).length === 0) return current;
      }
      base = current;
    }
  }
}

/** The resource as it is now, where the service refused the version that `ifMatch` named. */
export function currentVersion<Shape>(error: unknown): Shape | undefined {
  const { status, details } = error as { status?: number; details?: { current?: Shape } | null };
  return status === 412 ? details?.current : undefined;
}

/** Fields that another user has changed to something else than this change says. */
function conflictsOf<Fields extends object>(base: object, current: object, change: Fields): FieldConflict<Fields>[] {
  const before = base as Record<string, unknown>;
  const now = current as Record<string, unknown>;
  return Object.entries(change).flatMap(([field, mine]) =>
    isSame(before[field], now[field]) || isSame(now[field], mine)
      ? []
      : [{ field: field as keyof Fields & string, mine, theirs: now[field] }],
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
