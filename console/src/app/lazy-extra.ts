import { type ComponentType, lazy } from 'react';

type Module = { default: ComponentType };

/**
 * For what a page can do without. When it cannot be loaded, for example because the connection ended meanwhile, there is nothing in its
 * place; an error would replace the whole page.
 */
export const lazyExtra = (load: () => Promise<Module>) =>
  lazy(() => load().catch((): Module => ({ default: () => null })));
