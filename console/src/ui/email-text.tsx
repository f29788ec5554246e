import type { ReactNode } from 'react';

/** An address that, where it does not fit, breaks after its @ and not within a name. */
export function EmailText({ email }: { email: string }): ReactNode {
  const [local, ...domain] = email.split('@');
  return (
    <bdi>
      {local}
      {domain.length > 0 && (
        <>
          @<wbr />
          {domain.join('@')}
        </>
      )}
    </bdi>
  );
}
