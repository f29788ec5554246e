import type { ReactNode } from 'react';

export function PartnersPage(): ReactNode {
  return null;
}
