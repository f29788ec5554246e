import pg from 'pg';

const NUMERIC = 1700;
const BIGINT = 20;
const DATE = 1082;
const NUMERIC_ARRAY = 1231;
const TEXT_ARRAY = 1009;
const BIGINT_ARRAY = 1016;

type Parse = (text: string) => unknown;
const textArray = pg.types.getTypeParser(TEXT_ARRAY as number, 'text') as (text: string) => (string | null)[];
const numbers: Parse = (text) => textArray(text).map((item) => (item === null ? null : Number(item)));

/**
 * numeric and bigint arrive as JavaScript numbers: amounts stay under 10^12 with few decimals and counts under 2^53, both
 * exact in a double. A date is its midnight in UTC, regardless of the machine's time zone.
 */
const OWN = new Map<number, Parse>([
  [NUMERIC, Number],
  [BIGINT, Number],
  [DATE, (text) => new Date(text)],
  [NUMERIC_ARRAY, numbers],
  [BIGINT_ARRAY, numbers],
]);

export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    OWN.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;
