import { useRead } from '../../../platform/index.ts';

export function usePartnerName(): (id: string) => string {
  const { data } = useRead('listCommissionRates', {});
  return (id) => data?.items.find(({ partner_id }) => partner_id === id)?.partner_name ?? '…';
}
