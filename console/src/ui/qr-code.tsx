import { type ReactNode, useMemo } from 'react';
import { encode } from 'uqr';
import './qr-code.css';

/** Light modules around the code: scanners need four to find it. */
const BORDER = 4;

/** Dark on light in both themes, because many scanners need it. Drawn as one path, which prints sharply. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: BORDER });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join('') };
  }, [text]);
  return (
    <svg className="ui-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} className="ui-qr-light" />
      <path d={path} className="ui-qr-dark" />
    </svg>
  );
}
