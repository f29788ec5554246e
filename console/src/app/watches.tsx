import { type ReactNode, Suspense } from 'react';
import { useMay, useSession } from '../platform/index.ts';
import { FEATURES } from './features.ts';
import { lazyExtra } from './lazy-extra.ts';

const WATCHES = FEATURES.flatMap(({ watch }) =>
  watch === undefined ? [] : [{ ...watch, Watch: lazyExtra(watch.load) }],
);

/** What features do while the console is open, whatever the page. Loaded after the first page. */
export default function Watches(): ReactNode {
  const may = useMay();
  const session = useSession();
  const organization = session.phase === 'in' ? session.organization : undefined;
  if (organization === undefined || organization.suspended) return null;
  return WATCHES.filter(
    ({ grant, wholeOrganization }) => may(grant) && (wholeOrganization !== true || organization.branch_id === null),
  ).map(({ grant, Watch }) => (
    <Suspense key={grant}>
      <Watch />
    </Suspense>
  ));
}
