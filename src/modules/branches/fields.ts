import { foldForSearch } from '../../platform/text/folding.ts';
import { weekMinutes } from './opening.ts';
import type { WorkingPeriod } from './working-hours.ts';

export const BRANCH_STATUSES = ['New', 'Pending', 'Verifying', 'Published', 'Rejected', 'Terminated'] as const;
export type BranchStatus = (typeof BRANCH_STATUSES)[number];

/** What a client may set, by column. Images are apart: they arrive as files. */
export type BranchFields = {
  name_en: string;
  name_ar: string;
  email: string;
  active: boolean;
  status: BranchStatus;
  lat: number | null;
  lon: number | null;
  city: string | null;
  apple_maps_id: string;
  google_maps_id: string;
  time_zone: string | null;
  working_hours: unknown;
  working_hours_periods: WorkingPeriod[];
};

/** Only what was sent. A null on the wire is already its default here. */
export type BranchPatch = Partial<BranchFields>;

export type BranchImages = { hero_image: string | null; banner_image: string | null; photos: string[] };

export const DEFAULT_FIELDS: BranchFields = {
  name_en: '',
  name_ar: '',
  email: '',
  active: true,
  status: 'New',
  lat: null,
  lon: null,
  city: null,
  apple_maps_id: '',
  google_maps_id: '',
  time_zone: null,
  working_hours: null,
  working_hours_periods: [],
};

export const NO_IMAGES: BranchImages = { hero_image: null, banner_image: null, photos: [] };

/** Columns that only queries read, computed from the others whenever a branch is written. */
export function queryColumns(branch: { iv_id: string } & BranchFields): { search_text: string; open_minutes: string } {
  const ranges = weekMinutes(branch.working_hours_periods).map(([start, end]) => `[${start},${end})`);
  return {
    // Folding leaves no line breaks, so no search can match across two of the three.
    search_text: [branch.name_en, branch.name_ar, branch.iv_id].map(foldForSearch).join('\n'),
    open_minutes: `{${ranges.join(',')}}`,
  };
}
