import { expect, test } from 'vitest';
import { customerQuery, customerWords } from './customer-search.ts';
import { WHOLE_TENANT } from './sql/spending.ts';

const scope = { organizationId: '0193a1f0-7c00-7000-8000-000000000001', branchId: WHOLE_TENANT };
const tag = '000001000000';

test('a customer is found by the words of name and address and by the number in both directions', () => {
  const words = customerWords(scope, { name: 'Sara', phone: '+966 50 123', email: 'S@x.sa' });
  expect(words).toBe(["'sara'", "'s@x.sa'", "'96650123'", "'<32105669'"].map(tagged).join(' '));
});

test('a customer without name, number and address has no words', () => {
  expect(customerWords(scope, { name: null, phone: '', email: ' ' })).toBeNull();
});

test.each([
  ['Sara X', `(${tagged("'sara'")}:* & ${tagged("'x'")}:*)`],
  [
    '0501 23',
    ["('0501'", "'23')", "'50123'", "'96650123'", "'966050123'", "'<321050'"].map(tagged).reduce(joinAs('&', '|')),
  ],
])('the query for %s', (text, query) => {
  expect(customerQuery(scope, text, 'Asia/Riyadh')?.replaceAll(':*', '')).toBe(query.replaceAll(':*', ''));
});

test.each(['', ' ', '\u200f'])('%j is no search', (text) => {
  expect(customerQuery(scope, text, 'Asia/Riyadh')).toBeUndefined();
});

function tagged(quoted: string): string {
  return quoted.replace("'", `'${tag}`);
}

function joinAs(first: string, others: string) {
  return (one: string, other: string, at: number) => `${one} ${at === 1 ? first : others} ${other}`;
}
