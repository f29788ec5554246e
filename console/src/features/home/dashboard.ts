import type { UseQueryResult } from '@tanstack/react-query';
import { useReadPath } from '../../platform/index.ts';
import type { Range } from './ranges.ts';

type Figures = {
  orders: number;
  revenue: number;
  average_order_value: number;
  units: number;
  customers: number;
  cancelled: number;
  refunded: number;
};

export type Sections = {
  summary: Figures & {
    currency: string;
    previous: Figures;
    /** In percent; null where there was nothing before. */
    change: { [Name in keyof Figures]: number | null };
  };
  trends: { date: string; orders: number; revenue: number; units: number }[];
  apps: { app_slug: string; family: string; orders: number; revenue: number; share: number; cancelled: number }[];
  alerts: {
    kind: 'low_stock' | 'failing_webhook' | 'failing_connector' | 'cancellation_spike' | 'overdue_fee';
    severity: 'critical' | 'warning';
    message_en: string;
    message_ar: string;
    ref: string | null;
    at: string;
  }[];
  activity: {
    id: string;
    type: string;
    at: string;
    order_id: string;
    order_code: string | null;
    app_slug: string;
    branch_name: string | null;
    status: string;
    total: number;
    currency: string;
  }[];
  sensy: {
    sku_id: string;
    product_name_en: string | null;
    product_name_ar: string | null;
    branch_iv_id: string | null;
    current_qty: number;
    days_of_cover: number | null;
    stockout_date: string | null;
  }[];
  products: {
    product_id: string;
    name_en: string | null;
    name_ar: string | null;
    units: number;
    revenue: number;
    share: number;
  }[];
  posts: { id: string; title_en: string; title_ar: string; body_en: string; body_ar: string; published_at: string }[];
};

type Dashboard = { data: Partial<Sections>; errors?: Record<string, string> };

/**
 * One section of the dashboard, asked for by itself: a slow or failing one holds up no other. Null where it has nothing to
 * say, because the service leaves such a section out.
 */
export function useSection<Name extends keyof Sections>(
  name: Name,
  range: Range,
): UseQueryResult<Sections[Name] | null> {
  const answer = useReadPath<Dashboard>('/analytics/dashboard', { range, section: name }, { staleTime: 60_000 });
  const failure = answer.data?.errors?.[name];
  if (failure !== undefined) {
    return { ...answer, data: undefined, isError: true, error: new Error(failure) } as unknown as UseQueryResult<
      Sections[Name] | null
    >;
  }
  const data = answer.data === undefined ? undefined : (answer.data.data[name] ?? null);
  return { ...answer, data } as unknown as UseQueryResult<Sections[Name] | null>;
}
