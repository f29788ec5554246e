import { describe, expect, it } from 'vitest';
import { asksForStrictHandling } from './preferences.ts';

describe('handling', () => {
  it.each([
    'handling=strict',
    'Handling=Strict',
    'respond-async, wait=100, handling=strict',
    'handling = "strict"; reason="a, b; c"',
    'return=minimal; foo="handling=lenient, x", HANDLING=STRICT;x',
    'handling=strict, handling=lenient',
  ])('%s is strict', (prefer) => expect(asksForStrictHandling(prefer)).toBe(true));

  it.each([
    undefined,
    '',
    'handling',
    'handling=',
    'handling=lenient, handling=strict',
    'respond-async; handling=strict',
    'foo="handling=strict"',
    'foo=", handling=strict',
    'handlings=strict',
    ',;=',
  ])('%s is not', (prefer) => expect(asksForStrictHandling(prefer)).toBe(false));
});
