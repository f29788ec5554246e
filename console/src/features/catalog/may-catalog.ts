import { useMay, useOrganization } from '../../platform/index.ts';

/** An account of one branch changes its stock and prices, not the products, brands and categories of all branches. */
export function useMayCatalog() {
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  return {
    create: isWhole && may('create:Products'),
    update: isWhole && may('update:Products'),
    delete: isWhole && may('delete:Products'),
    export: may('export:Products'),
    import: isWhole && may('import:Products'),
    updateSkus: may('update:Products'),
  };
}
