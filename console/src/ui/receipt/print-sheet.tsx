import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import './receipt.css';

const MM_PER_PIXEL = 25.4 / 96;
const MARGIN_MM = 4;

/**
 * Printed in place of the page, by the button and by Ctrl+P alike: it exists only while the browser prints. Each child is on a page of
 * its own. On a paper roll a page is as long as the longest child. With `isOnly`, other sheets of the page are left out.
 */
export function PrintSheet(props: { isOnly?: boolean; paper?: 'roll' | 'a4'; children: ReactNode }): ReactNode {
  const { isOnly = false, paper = 'roll', children } = props;
  const [isPrinting, setPrinting] = useState(false);
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const length = new CSSStyleSheet();
    const before = () => {
      flushSync(() => setPrinting(true));
      const longest = Math.max(0, ...Array.from(sheet.current?.children ?? [], ({ scrollHeight }) => scrollHeight));
      const height = Math.ceil(longest * MM_PER_PIXEL) + 2 * MARGIN_MM + 1;
      length.replaceSync(
        paper === 'a4'
          ? '@page receipt { size: A4; margin: 12mm; }'
          : `@page receipt { size: 80mm ${height}mm; margin: ${MARGIN_MM}mm; }`,
      );
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
  }, [paper]);
  return isPrinting
    ? createPortal(
        <div ref={sheet} className="print-sheet" data-only={isOnly || undefined} data-paper={paper}>
          {children}
        </div>,
        document.body,
      )
    : null;
}
