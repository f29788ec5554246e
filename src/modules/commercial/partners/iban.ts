/** By the registry of ISO 13616, as of 2026. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Longer than any with spaces in it. */
const MAX_WRITTEN_CHARACTERS = 64;

/** In capitals without spaces; undefined when it is not a valid IBAN. */
export function findIban(written: string): string | undefined {
  if (written.length > MAX_WRITTEN_CHARACTERS) return undefined;
  const iban = written.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) || LENGTHS.get(iban.slice(0, 2)) !== iban.length) return undefined;
  return remainderBy97(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : undefined;
}

/** The country and the last four digits: enough to distinguish two accounts. */
export function maskIban(iban: string): string {
  const masked = iban.slice(0, 2) + '*'.repeat(iban.length - 6) + iban.slice(-4);
  return masked.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Letters count as two digits, A being 10. */
function remainderBy97(text: string): number {
  let remainder = 0;
  for (const sign of text) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
