import type { Sql } from '../../src/platform/database/index.ts';

export type WalPosition = { lsn: string; images: number };
export type WalBytes = { bytes: number; withoutImages: number };
export type Wal = {
  /** For the report: how page images were subtracted. */
  description: string;
  read(): Promise<WalPosition>;
  between(from: WalPosition, to: WalPosition): Promise<WalBytes>;
};

/**
 * pg_walinspect (PostgreSQL 15 and later, superuser) adds up the page images record by record: exact, compressed images included.
 * Without it each image counts as a whole page, so that what remains is too low where pages have holes or are compressed.
 */
export async function openWal(sql: Sql): Promise<Wal> {
  const isExact = await sql`create extension if not exists pg_walinspect`.then(
    () => true,
    () => false,
  );
  return {
    description: isExact
      ? 'page images subtracted by their size in the WAL (pg_walinspect)'
      : 'page images subtracted as whole pages (pg_stat_wal): a lower bound',
    async read() {
      const [row] = await sql<{ lsn: string; images: number }[]>`
        select pg_current_wal_flush_lsn()::text as lsn, (select wal_fpi from pg_stat_wal) as images`;
      return { lsn: row?.lsn ?? '0/0', images: Number(row?.images ?? 0) };
    },
    async between(from, to) {
      const [all] = await sql<{ bytes: number; pages: number }[]>`
        select pg_wal_lsn_diff(${to.lsn}::pg_lsn, ${from.lsn}::pg_lsn)::bigint as bytes,
               ${to.images - from.images}::bigint * current_setting('block_size')::bigint as pages`;
      const bytes = Number(all?.bytes ?? 0);
      if (!isExact) return { bytes, withoutImages: Math.max(0, bytes - Number(all?.pages ?? 0)) };
      const [images] = await sql<{ bytes: number }[]>`
        select coalesce(sum(fpi_size), 0)::bigint as bytes
        from pg_get_wal_stats(${from.lsn}::pg_lsn, ${to.lsn}::pg_lsn)`;
      return { bytes, withoutImages: bytes - Number(images?.bytes ?? 0) };
    },
  };
}
