import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { patienceMs } from '../harness/patience.ts';

const SEVERITIES = ['error', 'warn', 'info', 'hint'];

describe('the API description under Spectral', () => {
  it('breaks no rule of spectral:oas', { timeout: 10 * patienceMs() }, async () => {
    // The committed description: openapi.test.ts compares it with the one that the service publishes.
    const document = await readFile(path.resolve(import.meta.dirname, '../../openapi.json'), 'utf8');
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas, 'recommended']], rules: {} } as never);
    const found = await spectral.run(document);
    const lines = found.map(
      ({ severity, code, message, path }) => `${SEVERITIES[severity]} ${code} ${path.join('.')}: ${message}`,
    );
    expect(lines).toEqual([]);
  });
});
