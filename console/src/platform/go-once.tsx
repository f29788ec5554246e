import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

type Where = { to: string; search?: Record<string, unknown>; hash?: string };

/**
 * Leads elsewhere, once. The router's own Navigate does so again whenever it is drawn anew, which the move itself brings
 * about: what depends on the address then goes round for ever.
 */
export function GoOnce({ where }: { where(): Where }): ReactNode {
  const router = useRouter();
  const gone = useRef(false);
  useEffect(() => {
    if (gone.current) return;
    gone.current = true;
    const { to, search = {}, hash } = where();
    void router.navigate({ to: to as '/', search: search as never, replace: true, ...(hash && { hash }) });
  });
  return null;
}
