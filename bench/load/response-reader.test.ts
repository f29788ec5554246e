import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResponseReader } from './response-reader.ts';

const ANSWERS: [status: number, bytes: string][] = [
  [200, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\r\n\r\n'],
  [201, 'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n'],
  [204, 'HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n'],
  [200, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n2\r\n\r\n\r\n0\r\n\r\n'],
  [202, 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nX: y\r\ncontent-length: 1\r\n\r\nx'],
];

test('answers are separated wherever the network splits them', () => {
  const answers = fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(answers, cuts, (sent, lengths) => {
      const seen: number[] = [];
      const reader = createResponseReader((status) => seen.push(status));
      const bytes = Buffer.from(sent.map(([, text]) => text).join(''), 'latin1');
      const shared = Buffer.alloc(40);
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const length = Math.min(lengths[turn % lengths.length] ?? 1, bytes.length - at);
        bytes.copy(shared, 0, at, at + length);
        reader.feed(shared.subarray(0, length));
        at += length;
      }
      expect(seen).toEqual(sent.map(([status]) => status));
    }),
  );
});

test('what is not HTTP, or has no end, is an error and not a hang', () => {
  const feed = (text: string) => createResponseReader(() => undefined).feed(Buffer.from(text));
  expect(() => feed('SSH-2.0-OpenSSH\r\n\r\n')).toThrow('Not an HTTP answer');
  expect(() => feed('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')).toThrow('without a length');
  expect(() => feed('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')).toThrow('Not a chunk size');
});
