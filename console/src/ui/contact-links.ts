/**
 * Addresses of contact links. The values come from public forms, so a `?`, `&`, `,` or `;` in them must not
 * become a parameter of the link: `a@b.c?bcc=x@y.z` would add a recipient.
 */
export function mailtoLink(email: string): string {
  const at = email.lastIndexOf('@');
  // The last @ is the separator; encoded, some mail programs do not read the address.
  if (at === -1) return `mailto:${encode(email)}`;
  return `mailto:${encode(email.slice(0, at))}@${encode(email.slice(at + 1))}`;
}

/**
 * Digits and a leading plus; undefined where there are none. What follows a pause or an extension (`,` `;` `p` `x` `#`) is not
 * dialled: it could be the code of a paid service.
 */
export function phoneLink(phone: string): string | undefined {
  const [number = ''] = /[\d\s()+.\-\u200e\u200f\u202a-\u202e\u2066-\u2069]*\d/.exec(latinDigits(phone)) ?? [];
  const digits = number.replace(/\D/g, '');
  return digits === '' ? undefined : `tel:${/^\D*\+/.test(number) ? '+' : ''}${digits}`;
}

/**
 * A telephone number in one form, however the channel wrote it: `+966 50 123 4567` for `0501234567`, `00966...` and `966...`. Numbers of
 * other countries get their plus; what is no number stays as it is.
 */
export function showPhone(phone: string): string {
  const digits = phoneLink(phone)?.replace('tel:', '');
  if (digits === undefined) return phone;
  const number = digits
    .replace(/^00/, '+')
    .replace(/^0?(?=5\d{8}$)/, '+966')
    .replace(/^(?=966\d{9}$)/, '+');
  return number.replace(/^\+9660?(5\d)(\d{3})(\d{4})$/, '+966 $1 $2 $3');
}

/** `encodeURIComponent` throws at half a surrogate pair, and leaves `'` and others that no address needs. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function latinDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
