import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { APPS } from '../../src/modules/apps/index.ts';
import { EVENT_TYPES } from '../../src/modules/events/index.ts';
import { ACTIONS, RESOURCES, ROLES } from '../../src/modules/identity/permissions.ts';
import {
  CANONICAL_PAYMENT_STATUSES,
  CANONICAL_STATUSES,
  canonicalPaymentStatus,
  canonicalStatus,
} from '../../src/modules/orders/order-status.ts';
import { currencyDigits } from '../../src/platform/money.ts';

const pageOf = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../docs', `${name}.md`), 'utf8').split(/^(?=## )/m);

/** The rows of a page's table under a heading, by their cells. */
function tableUnder(page: string, heading: string): string[][] {
  const part = pageOf(page).find((text) => text.startsWith(`## ${heading}\n`) || heading === '') ?? '';
  return part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    .slice(1);
}

describe('tables of the documents agree with the code', () => {
  it.each([
    ['Order status', CANONICAL_STATUSES, canonicalStatus],
    ['Payment status', CANONICAL_PAYMENT_STATUSES, canonicalPaymentStatus],
  ] as const)('%s', (heading, known, meaningOf) => {
    const rows = tableUnder('statuses', heading);
    expect(rows.map(([status]) => status).toSorted()).toEqual([...known].toSorted());
    for (const [status, words = ''] of rows.filter(([name]) => name !== 'unknown')) {
      expect([words, ...words.split(', ').map(meaningOf)]).toEqual([words, ...words.split(', ').map(() => status)]);
    }
  });

  it('event types', () => {
    const named = tableUnder('events', '').map(([type]) => type);
    expect(named.toSorted()).toEqual([...EVENT_TYPES, 'webhook.test'].toSorted());
  });

  it('roles, actions and resources', () => {
    expect(tableUnder('roles-and-grants', 'Roles').map(([role]) => role)).toEqual([...ROLES]);
    const grants = pageOf('roles-and-grants').find((text) => text.startsWith('## Grants')) ?? '';
    const words = [...grants.matchAll(/`(\w+)`/g)].map(([, word]) => word);
    expect(words).toEqual([...ACTIONS, ...RESOURCES]);
  });

  it('apps', () => {
    const named = tableUnder('apps', 'What is known of each vendor').map(([slug]) => slug);
    expect(named).toEqual(APPS.map(({ slug }) => slug));
  });

  it('digits of currencies', () => {
    for (const [digits, codes = ''] of tableUnder('money-and-time', 'Amounts').slice(0, 3)) {
      expect(codes.split(' ').map((code) => [code, currencyDigits(code)])).toEqual(
        codes.split(' ').map((code) => [code, Number(digits)]),
      );
    }
  });
});
