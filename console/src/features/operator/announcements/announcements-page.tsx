import type { ReactNode } from 'react';

export function AnnouncementsPage(): ReactNode {
  return null;
}
