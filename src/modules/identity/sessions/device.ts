type Sign = readonly [sign: RegExp, name: string];

// Ordered: Edge, Opera and Samsung Internet also name Chrome, and Chrome also names Safari.
const BROWSERS: readonly Sign[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
// Ordered: Android also names Linux, and iPhones and iPads also name Mac OS X.
const SYSTEMS: readonly Sign[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
const PROGRAM = /^[\w.-]{1,40}(?=\/|$)/;

/** `Chrome, Windows`; the name of the program for one that is no browser, such as `curl`; empty where neither is named. */
export function deviceOf(userAgent: string): string {
  const names = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter((name) => name !== undefined);
  if (names.length > 0) return names.join(', ');
  const program = PROGRAM.exec(userAgent)?.[0];
  return program === undefined || program === 'Mozilla' ? '' : program;
}

function nameIn(signs: readonly Sign[], userAgent: string): string | undefined {
  return signs.find(([sign]) => sign.test(userAgent))?.[1];
}
