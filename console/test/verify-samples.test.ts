import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { signWebhook } from '../../sdk/src/index.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../src/features/webhooks/samples');
const read = (name: string) => readFile(path.join(SAMPLES, `${name}.txt`), 'utf8');

it.each(['python', 'php', 'go'])(
  'the %s sample is the one of the documentation, where it is tested',
  async (language) => {
    const page = await readFile(path.resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
    const [, sample] = page.split(`\`\`\`${language}\n`);
    expect(await read(language)).toBe(sample?.slice(0, sample.indexOf('```')));
  },
);

it('the TypeScript sample accepts a valid signature and rejects others', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-sample-'));
  try {
    const file = path.join(folder, 'sample.mjs');
    await writeFile(file, stripTypeScriptTypes(await read('typescript')));
    const { verify } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      verify(body: Buffer, headers: object, secret: string): { id: string };
    };
    const secret = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`;
    const body = JSON.stringify({ id: 'evt_1', type: 'order.created' });
    const headers = await signWebhook(body, { id: 'evt_1', secret });
    expect(verify(Buffer.from(body), headers, secret).id).toBe('evt_1');
    const rotating = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
    expect(verify(Buffer.from(body), rotating, secret).id).toBe('evt_1');
    expect(() => verify(Buffer.from(`${body} `), headers, secret)).toThrow('not signed');
    expect(() => verify(Buffer.from(body), headers, `whsec_${btoa('another key altogether')}`)).toThrow('not signed');
    const old = await signWebhook(body, { id: 'evt_1', secret, now: new Date(Date.now() - 301_000) });
    expect(() => verify(Buffer.from(body), old, secret)).toThrow('too old');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
