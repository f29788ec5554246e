import type { ReactNode } from 'react';

export function LeadsPage(): ReactNode {
  return null;
}
