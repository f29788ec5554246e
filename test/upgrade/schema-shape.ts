import type { Sql } from '../../src/platform/database/index.ts';

/** Everything that migrations make, in words: two databases that say the same are the same to every statement. */
export async function schemaShape(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with own as (
      select oid, relname, reloptions from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition)
    select format('table %s %s', relname, reloptions) as line from own
    union all
    select format('column %s.%s %s %s %s', own.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid))
    from own join pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    union all
    select format('index %s', pg_get_indexdef(i.indexrelid)) from own join pg_index i on i.indrelid = own.oid
    union all
    select format('constraint %s %s %s', own.relname, k.conname, pg_get_constraintdef(k.oid))
    from own join pg_constraint k on k.conrelid = own.oid
    union all
    select format('trigger %s', pg_get_triggerdef(t.oid)) from own join pg_trigger t on t.tgrelid = own.oid
    where not t.tgisinternal
    union all
    select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`;
  return rows.map(({ line }) => line);
}
