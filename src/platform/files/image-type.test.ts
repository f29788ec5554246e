import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SNIFF_BYTES, sniffFile } from './image-type.ts';

const sniffImage = (head: Buffer) => sniffFile(head, 'image');
const sniffDocument = (head: Buffer) => sniffFile(head, 'document');

const bytes = (base64: string) => Buffer.from(base64, 'base64');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

// The smallest whole files that encoders make of one pixel.
const png = bytes('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');
/** Its animation control stands between header and data. */
const movingPng = Buffer.concat([
  png.subarray(0, 33),
  latin1('\0\0\0\x08acTL\0\0\0\x01\0\0\0\0\xb9\x3d\xd9\x83'),
  png.subarray(33),
]);
const gif = bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
const gifWithoutExtension = bytes('R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=');
const webpLossy = bytes('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA');
const webpLossless = bytes('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==');
const webpExtended = bytes(
  'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
);
const jfif = bytes(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
);
const exif = Buffer.concat([latin1('\xff\xd8\xff\xe1\x00\x40Exif\0\0MM\0*\0\0\0\x08'), Buffer.alloc(60)]);
const rawTables = Buffer.concat([latin1('\xff\xd8\xff\xdb\x00\x43\x00'), Buffer.alloc(64, 16)]);
const pdf = latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n');

describe('images', () => {
  it.each([
    ['png', png, 'image/png', 'png'],
    ['gif with a control block', gif, 'image/gif', 'gif'],
    ['gif of 1987', gifWithoutExtension, 'image/gif', 'gif'],
    ['lossy webp', webpLossy, 'image/webp', 'webp'],
    ['lossless webp', webpLossless, 'image/webp', 'webp'],
    ['extended webp', webpExtended, 'image/webp', 'webp'],
    ['jpeg from software', jfif, 'image/jpeg', 'jpg'],
    ['jpeg from a camera', exif, 'image/jpeg', 'jpg'],
    ['jpeg that starts with its tables', rawTables, 'image/jpeg', 'jpg'],
    ['png that moves', movingPng, 'image/png', 'png'],
  ])('knows a %s', async (_name, file, contentType, extension) => {
    expect(await sniffImage(file)).toEqual({ contentType, extension });
    expect(await sniffDocument(file)).toEqual({ contentType, extension });
    expect((await sniffFile(file, 'photo'))?.extension).toBe(extension === 'gif' ? undefined : extension);
    const longer = Buffer.concat([file, Buffer.alloc(5000, 'x')]);
    expect((await sniffImage(longer.subarray(0, SNIFF_BYTES)))?.extension).toBe(extension);
    expect((await sniffImage(longer))?.extension).toBe(extension);
  });

  it('knows a gif with the largest colour table, which needs most of what is sniffed', async () => {
    const large = Buffer.concat([latin1('GIF89a\x01\0\x01\0\xf7\0\0'), Buffer.alloc(768, 9), latin1('!\xf9\x04')]);
    expect((await sniffImage(large))?.extension).toBe('gif');
    expect(await sniffImage(large.subarray(0, 13 + 768))).toBeUndefined();

    const picture = Buffer.concat([
      large.subarray(0, 13 + 768),
      latin1(',\0\0\0\0\x01\0\x01\0\x87'),
      Buffer.alloc(768),
      latin1('\x08'),
    ]);
    expect((await sniffImage(picture))?.extension).toBe('gif');
    expect(picture.length).toBeLessThan(SNIFF_BYTES);
    expect(await sniffImage(picture.subarray(0, -1))).toBeUndefined();
  });

  const riff = (form: string, rest: Buffer) => {
    const sized = Buffer.alloc(8);
    sized.write('RIFF');
    sized.writeUInt32LE(rest.length + 4, 4);
    return Buffer.concat([sized, latin1(form), rest]);
  };

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(2000)],
    ['text', latin1('hello, this is a picture.png, believe me, it is long enough')],
    ['html', latin1('<!doctype html><html><body><script>alert(1)</script></body></html>')],
    ['svg', latin1('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>')],
    ['svg with an xml line', latin1('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>      ')],
    ['html behind the letters GIF89a', latin1(`GIF89a<script>alert(1)</script>${' '.repeat(900)}`)],
    ['script behind the letters GIF89a', latin1(`GIF89a=1;alert(document.cookie);//${'x'.repeat(900)}`)],
    ['script in a comment behind GIF87a', latin1(`GIF87a/*${'*'.repeat(900)}*/=1;alert(1)`)],
    ['a gif of another year', latin1('GIF88a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0')],
    ['a gif with nothing but its end', latin1('GIF89a\x01\0\x01\0\0\0\0;\0')],
    ['the png signature alone', png.subarray(0, 8)],
    ['the png signature and zeros', Buffer.concat([png.subarray(0, 8), Buffer.alloc(1000)])],
    [
      'the png signature and html',
      Buffer.concat([png.subarray(0, 8), latin1('<html><script>alert(1)</script></html>')]),
    ],
    ['a png sent as text (line ends changed)', latin1(png.toString('latin1').replaceAll('\r\n', '\n'))],
    ['a png without width', patched(png, 16, [0, 0, 0, 0])],
    ['a png without height', patched(png, 20, [0, 0, 0, 0])],
    ['a png of unknown colours', patched(png, 25, [5])],
    ['a png of impossible depth', patched(png, 24, [3])],
    ['a riff of sound', riff('WAVE', Buffer.concat([latin1('fmt \x10\0\0\0'), Buffer.alloc(64)]))],
    ['a riff of film', riff('AVI ', Buffer.concat([latin1('LIST\x10\0\0\0'), Buffer.alloc(64)]))],
    ['a webp form with an unknown chunk', riff('WEBP', Buffer.concat([latin1('EVIL\x10\0\0\0'), Buffer.alloc(64)]))],
    ['a webp whose chunk is longer than itself', patched(webpLossy, 16, [0xff, 0xff, 0, 0])],
    ['a lossy webp without its start code', patched(webpLossy, 23, [0, 0, 0])],
    ['a lossless webp without its signature', patched(webpLossless, 20, [0])],
    ['riff letters in a text', latin1('RIFF is the name of a container, and WEBP one of its forms')],
    ['a jpeg start and nothing', latin1('\xff\xd8\xff')],
    ['a jpeg start with an end', latin1(`\xff\xd8\xff\xd9${'\0'.repeat(50)}`)],
    ['a jpeg start with html', latin1('\xff\xd8\xff<html><script>alert(1)</script></html>')],
    ['a jpeg with an empty first segment', latin1(`\xff\xd8\xff\xe0\0\0${'\0'.repeat(50)}`)],
    ['a jpeg of the lossless kind that browsers do not show', latin1(`\xff\xd8\xff\xf7\0\x0b${'\0'.repeat(50)}`)],
    ['a byte order mark', latin1(`\xff\xfe${'<\0h\0t\0m\0l\0>\0'.repeat(5)}`)],
    ['a bitmap', Buffer.concat([latin1('BM'), Buffer.alloc(100)])],
    ['a tiff', Buffer.concat([latin1('II*\0'), Buffer.alloc(100)])],
    ['an icon', Buffer.concat([latin1('\0\0\x01\0\x01\0'), Buffer.alloc(100)])],
    ['a heic', Buffer.concat([latin1('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(100)])],
    ['an avif', Buffer.concat([latin1('\0\0\0\x1cftypavif\0\0\0\0avifmif1'), Buffer.alloc(100)])],
    ['a zip', Buffer.concat([latin1('PK\x03\x04'), Buffer.alloc(100)])],
    ['a program', Buffer.concat([latin1('\x7fELF\x02\x01\x01'), Buffer.alloc(100)])],
    ['a png behind one space', Buffer.concat([latin1(' '), png])],
    ['a pdf', pdf],
  ])('refuses %s', async (_name, file) => {
    expect(await sniffImage(file)).toBeUndefined();
  });

  it.each([
    ['png', png, 33],
    ['lossy webp', webpLossy, 30],
    ['lossless webp', webpLossless, 30],
    ['gif', gif, 21],
    ['gif of 1987', gifWithoutExtension, 30],
    ['jpeg', jfif, 11],
  ])('refuses every truncation of a %s header', async (_name, file, headerBytes) => {
    for (let length = 0; length < headerBytes; length++) {
      expect(await sniffImage(file.subarray(0, length))).toBeUndefined();
    }
    expect(await sniffImage(file.subarray(0, headerBytes))).toBeDefined();
  });
});

describe('documents', () => {
  it.each(['%PDF-1.0\n', '%PDF-1.4\r\n', '%PDF-1.7 ', '%PDF-2.0\n'])('knows a pdf that begins %j', async (start) => {
    expect(await sniffDocument(latin1(`${start}rest`))).toEqual({ contentType: 'application/pdf', extension: 'pdf' });
  });

  it.each([
    '%PDF-',
    '%PDF-1.4',
    '%PDF-1.8\n',
    '%PDF-3.0\n',
    '%PDF-1.45\n',
    '%pdf-1.4\n',
    ' %PDF-1.4\n',
    '<html>%PDF-1.4\n',
    'PDF-1.4\n',
    '%!PS-Adobe-3.0\n',
  ])('refuses %j', async (start) => {
    expect(await sniffDocument(latin1(start))).toBeUndefined();
  });
});

describe('any bytes at all', () => {
  const SIGNATURES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', '%PDF-'];
  const hasSignature = (head: Buffer) => {
    const start = head.toString('latin1', 0, 16);
    const isWebp = start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP';
    return isWebp || SIGNATURES.some((signature) => start.startsWith(signature));
  };
  const starts = [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'RIFF',
    'RIFF\x40\0\0\0WEBP',
    'GIF89a',
    'GIF8',
    '%PDF-',
    '<svg',
    '',
  ];
  const anyHead = fc
    .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: SNIFF_BYTES + 200 }))
    .map(([start, rest]) => Buffer.concat([latin1(start), rest]));

  it('are accepted only behind a known signature, and never crash', async () => {
    await fc.assert(
      fc.asyncProperty(anyHead, async (head) => {
        const found = await sniffDocument(head);
        if (found !== undefined) expect(hasSignature(head)).toBe(true);
        expect(await sniffImage(head)).toEqual(found?.extension === 'pdf' ? undefined : found);
      }),
      { numRuns: 5000 },
    );
  });

  it('without a signature are never accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (content) => {
        const head = Buffer.from(content);
        fc.pre(!hasSignature(head));
        expect(await sniffDocument(head)).toBeUndefined();
      }),
      { numRuns: 5000 },
    );
  });

  it('of printable text are never an image, whatever they begin with', async () => {
    const textStarts = [
      'GIF89a',
      'GIF87a',
      'GIF89a1234567,',
      'GIF89a1234567!',
      'RIFF',
      'RIFF~~~~WEBPVP8 ',
      'RIFF~~~~WEBPVP8L',
      '',
    ];
    const line = fc.string({
      unit: fc.constantFrom(...' \t\r\n!"#%&*,-./019:;<=>ABCXYZ[]abcxyz{|}~'),
      maxLength: 1200,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...textStarts), line, async (start, rest) => {
        expect(await sniffImage(latin1(start + rest))).toBeUndefined();
      }),
      { numRuns: 5000 },
    );
  });

  it('changed behind the header do not change the verdict', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(png, jfif, webpLossy, gif),
        fc.uint8Array({ maxLength: 1000 }),
        async (file, tail) => {
          expect(await sniffImage(Buffer.concat([file, tail]))).toEqual(await sniffImage(file));
        },
      ),
    );
  });
});

function patched(file: Buffer, at: number, replacement: number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(replacement, at);
  return copy;
}
