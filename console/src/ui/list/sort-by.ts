import type { Column } from '../column.ts';

/** The sort state of one column in a list sorted by `column` or `-column`. A second press reverses the direction. */
export function sortBy<Name extends string>(
  column: Name,
  sorted: { by: string; onSort(sort: Name | `-${Name}`): void; first?: 'ascending' | 'descending' },
): NonNullable<Column<never>['sort']> {
  const { by, onSort, first = 'descending' } = sorted;
  const direction = by === column ? 'ascending' : by === `-${column}` ? 'descending' : undefined;
  const isAscendingNext = direction === undefined ? first === 'ascending' : direction === 'descending';
  return { direction, onSort: () => onSort(isAscendingNext ? column : `-${column}`) };
}
