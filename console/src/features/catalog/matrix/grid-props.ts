import type { MatrixShow } from '../searches.ts';
import type { MatrixColumn } from './columns.ts';
import type { MatrixData } from './matrix-data.ts';
import type { Edits } from './use-edits.ts';

export type GridProps = {
  data: MatrixData;
  total: number;
  columns: readonly MatrixColumn[];
  show: MatrixShow;
  mayProducts: boolean;
  maySkus: boolean;
  edits: Edits;
};
