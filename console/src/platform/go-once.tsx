import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

type Where = { to: string; search?: Record<string, unknown>; hash?: string };

/**
 * Redirects once. The router's own Navigate redirects with every render, which the redirect itself causes: a target that
 * depends on the address would loop.
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
