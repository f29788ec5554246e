import { Link, useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { pathBefore } from '../platform/index.ts';
import { Icon } from './icon.tsx';

/** To the list that a page belongs to. When the user came from there, back to its filters, its page and its scroll position. */
export function BackLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const { history } = useRouter();
  const location = useLocation();
  function goBack(event: MouseEvent): void {
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (opensElsewhere || pathBefore(location) !== to) return;
    event.preventDefault();
    history.back();
  }
  return (
    <Link to={to as '/'} className="ui-back" onClick={goBack}>
      <Icon name="back" />
      {children}
    </Link>
  );
}
