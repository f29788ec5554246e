/**
 * The URL of a call, always below the base's host and path. Undefined if the path leaves them: ids in paths come from payloads,
 * and `..` among them would address another resource of the vendor.
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

// The URL standard reads %2e as a dot and a backslash as a slash.
const DOTS = /^(\.|%2e){1,2}$/i;

function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || /[\\?#\p{C}\p{Z}]/u.test(path)) return false;
  const segments = path.slice(1).split('/');
  // The last segment may be empty: some vendors end their paths with a slash.
  return segments.every((segment, index) => !DOTS.test(segment) && (segment !== '' || index === segments.length - 1));
}
