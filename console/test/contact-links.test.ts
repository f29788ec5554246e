import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mailtoLink, phoneLink } from '../src/ui/contact-links.ts';

const SOURCES = path.resolve(import.meta.dirname, '../src');

describe('mailtoLink', () => {
  it.each([
    ['noura@example.com', 'mailto:noura@example.com'],
    ['noura+shop@example.com', 'mailto:noura%2Bshop@example.com'],
    ['a@b.c?bcc=x@y.z&body=pay%20here', 'mailto:a%40b.c%3Fbcc%3Dx@y.z%26body%3Dpay%2520here'],
    ['a@b.c,x@y.z', 'mailto:a%40b.c%2Cx@y.z'],
    ['a@b.c\r\nBcc: x@y.z', 'mailto:a%40b.c%0D%0ABcc%3A%20x@y.z'],
    ['no address #1', 'mailto:no%20address%20%231'],
    ['\ud800@b.c', 'mailto:%EF%BF%BD@b.c'],
  ])('links %j to one recipient without parameters', (email, link) => {
    expect(mailtoLink(email)).toBe(link);
    const { search, hash } = new URL(mailtoLink(email));
    expect([search, hash]).toEqual(['', '']);
  });
});

describe('phoneLink', () => {
  it.each([
    ['+966 55 123 4567', 'tel:+966551234567'],
    ['(011) 465-7788', 'tel:0114657788'],
    ['٠٥٥١٢٣٤٥٦٧', 'tel:0551234567'],
    ['\u200e+966\u00a0551234567', 'tel:+966551234567'],
    ['(+966) 551234567', 'tel:+966551234567'],
    ['1,,2;ext', 'tel:1'],
    ['0551234567;phone-context=evil.example', 'tel:0551234567'],
    ['*21*0900123456#', 'tel:21'],
    ['mobile: 0551234567', 'tel:0551234567'],
    ['0551234567?call=now', 'tel:0551234567'],
    ['call me', undefined],
  ])('links %j to the number alone', (phone, link) => {
    expect(phoneLink(phone)).toBe(link);
  });
});

it('no page builds a contact link without these functions', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const byHand = files.filter(
    (name) =>
      !name.endsWith('contact-links.ts') && /(mailto|tel):/.test(readFileSync(path.join(SOURCES, name), 'utf8')),
  );
  expect(byHand).toEqual([]);
});
