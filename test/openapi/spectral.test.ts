import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { call, patienceMs, testService } from '../harness/index.ts';

const SEVERITIES = ['error', 'warn', 'info', 'hint'];

describe('the API description under Spectral', () => {
  it('breaks no rule of spectral:oas', { timeout: 10 * patienceMs() }, async () => {
    const { baseUrl } = await testService();
    const document = (await call(baseUrl, 'GET /openapi.json')).text;
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas, 'recommended']], rules: {} } as never);
    const found = await spectral.run(document);
    const lines = found.map(
      ({ severity, code, message, path }) => `${SEVERITIES[severity]} ${code} ${path.join('.')}: ${message}`,
    );
    expect(lines).toEqual([]);
  });
});
