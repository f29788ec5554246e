import { pageIn, textIn, withoutAbsent } from '../../../platform/index.ts';

export type AuditSearch = {
  actor?: string;
  action?: string;
  resource?: string;
  /** The changes of one record. */
  id?: string;
  from?: string;
  to?: string;
  page?: number;
};

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const day = (name: string) => textIn(search, name)?.match(/^\d{4}-\d\d-\d\d$/)?.[0];
  return withoutAbsent<AuditSearch>({
    actor: textIn(search, 'actor'),
    action: textIn(search, 'action'),
    resource: textIn(search, 'resource'),
    id: textIn(search, 'id'),
    from: day('from'),
    to: day('to'),
    page: pageIn(search),
  });
}
