import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import './receipt.css';

const MM_PER_PIXEL = 25.4 / 96;
const MARGIN_MM = 4;

/**
 * Printed in place of the page, by the button and by Ctrl+P alike: it exists only while the browser prints. The sheet is as long
 * as its content, since a paper roll has no pages. With `isOnly`, other sheets of the page are left out.
 */
export function PrintSheet({ isOnly = false, children }: { isOnly?: boolean; children: ReactNode }): ReactNode {
  const [isPrinting, setPrinting] = useState(false);
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const length = new CSSStyleSheet();
    const before = () => {
      flushSync(() => setPrinting(true));
      const height = Math.ceil((sheet.current?.scrollHeight ?? 0) * MM_PER_PIXEL) + 2 * MARGIN_MM + 1;
      length.replaceSync(`@page receipt { size: 80mm ${height}mm; margin: ${MARGIN_MM}mm; }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((one) => one !== length), length];
    };
    const after = () => {
      setPrinting(false);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== length);
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      after();
    };
  }, []);
  return isPrinting
    ? createPortal(
        <div ref={sheet} className="print-sheet" data-only={isOnly || undefined}>
          {children}
        </div>,
        document.body,
      )
    : null;
}
