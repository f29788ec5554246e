import type { FastifyRequest } from 'fastify';
import { fileUrlsFor } from '../files/index.ts';
import { tenantOf } from '../identity/index.ts';
import { type Product, type ProductShape, productShape } from './product.ts';

/** Products of the caller's organization on the wire, with image addresses as the caller reaches the service. */
export function shaperFor(request: FastifyRequest): (product: Product) => ProductShape {
  const { organizationId } = tenantOf(request);
  const urlOf = fileUrlsFor(request);
  return (product) => productShape(organizationId, product, urlOf);
}
