import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { operationWords } from '../src/ui/audit-fields/operation-words.ts';

type Operation = { operationId: string; tags?: string[] };

it('has words for every write inside an organization, which the audit log names when support sends it', () => {
  const description = path.resolve(import.meta.dirname, '../../openapi.json');
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  // Of accounts, of operators and of vendors: support tokens never get there.
  const elsewhere = /\/(auth|commercial|ingest|leads)(\/|$)|support-/;
  const missing = Object.entries(paths).flatMap(([address, methods]) =>
    elsewhere.test(address)
      ? []
      : Object.entries(methods).flatMap(([method, { operationId }]) =>
          /^(post|put|patch|delete)$/.test(method) && !(operationId in operationWords.en) ? [operationId] : [],
        ),
  );
  expect(missing).toEqual([]);
});
