import type { ReactNode } from 'react';

export function MoneyPage(): ReactNode {
  return null;
}
