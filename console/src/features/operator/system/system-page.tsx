import type { ReactNode } from 'react';

export function SystemPage(): ReactNode {
  return null;
}
