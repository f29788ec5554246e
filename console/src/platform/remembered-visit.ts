/** In `sessionStorage`: the organization that this tab has open for support. Not its token. */
const SUPPORTED = 'dukkan.support';

export function rememberedVisit(): string | null {
  try {
    return sessionStorage.getItem(SUPPORTED);
  } catch {
    return null;
  }
}

export function rememberVisit(organizationId: string): void {
  try {
    sessionStorage.setItem(SUPPORTED, organizationId);
  } catch {
    // A reload leaves the organization.
  }
}

export function forgetVisit(): void {
  try {
    sessionStorage.removeItem(SUPPORTED);
  } catch {
    // Nothing was stored.
  }
}
