/**
 * The address of a call below a base: the base's host and path whatever the call's path says. Nothing where the two do not make
 * one: ids in paths come from payloads, and `..` among them would lead elsewhere at the vendor.
 */
export function findVendorUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL | undefined {
  const root = URL.parse(base);
  if (root === null || root.host === '' || !isPlainPath(path)) return undefined;
  const basePath = root.pathname.replace(/\/+$/, '');
  const url = URL.parse(`${root.origin}${basePath}${path}`);
  if (url === null || url.origin !== root.origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

// The URL standard takes %2e for a dot and a backslash for a slash.
const DOTS = /^(\.|%2e){1,2}$/i;

function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || /[\\?#\p{C}\p{Z}]/u.test(path)) return false;
  const segments = path.slice(1).split('/');
  // The last may be empty: some vendors end their paths with a slash.
  return segments.every((segment, index) => !DOTS.test(segment) && (segment !== '' || index === segments.length - 1));
}
