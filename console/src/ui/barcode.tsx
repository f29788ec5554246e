import { type ReactNode, useMemo } from 'react';
import './barcode.css';

const LEFT_ODD = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const PARITIES = ['LLLLLL', 'LLGLGG', 'LLGGLG', 'LLGGGL', 'LGLLGG', 'LGGLLG', 'LGGGLL', 'LGLGLG', 'LGLGGL', 'LGGLGL'];
const flip = (bits: string) => bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0'));
const turn = (bits: string) => [...bits].reverse().join('');
const left = (digit: string) => LEFT_ODD[Number(digit)] ?? '';
const right = (digit: string) => flip(left(digit));

/** 13, 12 or 8 digits whose last one does not follow from the others. Codes of other lengths have no such digit. */
export function isWrongCheckDigit(code: string): boolean {
  if (!/^(?:\d{8}|\d{12}|\d{13})$/.test(code)) return false;
  const digits = [...code].map(Number).reverse();
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 1 ? 3 : 1), 0) % 10 !== 0;
}

/** Dark and light modules of an EAN-13, UPC-A or EAN-8; undefined for other codes. */
function modulesOf(given: string): string | undefined {
  if (isWrongCheckDigit(given)) return undefined;
  if (/^\d{8}$/.test(given)) {
    const digits = [...given];
    return `101${digits.slice(0, 4).map(left).join('')}01010${digits.slice(4).map(right).join('')}101`;
  }
  const code = /^\d{12}$/.test(given) ? `0${given}` : given;
  if (!/^\d{13}$/.test(code)) return undefined;
  const [first = '0', ...rest] = code;
  const parity = PARITIES[Number(first)] ?? '';
  const start = rest.slice(0, 6).map((digit, place) => (parity[place] === 'L' ? left(digit) : turn(right(digit))));
  return `101${start.join('')}01010${rest.slice(6).map(right).join('')}101`;
}

/** The barcode as an image; nothing for a code of another kind. */
export function BarcodePicture({ code, label }: { code: string; label: string }): ReactNode {
  const modules = useMemo(() => modulesOf(code), [code]);
  if (modules === undefined) return null;
  const bars = [...modules.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} 0h${run.length}v1h-${run.length}z`);
  return (
    <figure className="ui-barcode">
      <svg viewBox={`0 0 ${modules.length} 1`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={bars.join('')} shapeRendering="crispEdges" />
      </svg>
      <span className="ltr" aria-hidden="true">
        {code}
      </span>
    </figure>
  );
}
