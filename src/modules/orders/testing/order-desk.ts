import { expect } from 'vitest';
import type { TestShop } from '../../../../test/harness/index.ts';
import { newOrder } from './new-order.ts';

/** Places orders and creates branches through the API. */
export function orderDesk({ ask }: Pick<TestShop, 'ask'>) {
  return {
    async placed(fields: Record<string, unknown> = {}): Promise<string> {
      const reply = await ask('POST /orders', { body: newOrder(fields) });
      expect(reply.status).toBe(201);
      return reply.body.data.id;
    },
    async makeBranch(ivId: string): Promise<string> {
      const reply = await ask('POST /branches', { body: { iv_id: ivId, name_en: `Branch ${ivId}` } });
      return reply.body.data.id;
    },
  };
}
