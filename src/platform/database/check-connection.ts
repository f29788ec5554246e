import type { Sql } from './connect.ts';

/** The first contact. What the driver says of a server that is not there names no setting, and is sometimes empty. */
export async function checkConnection(sql: Sql, called: string): Promise<void> {
  try {
    await sql`select 1`;
  } catch (error) {
    throw new Error(`${called} cannot be used: ${reasonOf(error)}`);
  }
}

/** What we ask of every session; an older server refuses the connection over the first that it does not know. */
function isUnknownSetting({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '42704';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isUnknownSetting(error)) return `${error.message} (PostgreSQL 15 or newer is needed)`;
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : error.name;
}
