type Coordinates = { lat: number; lon: number };

const LATITUDE_MOST = 90;
const LONGITUDE_MOST = 180;
const NUMBER = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const PAIR = `${NUMBER}\\s*[,;\\s]\\s*${NUMBER}`;
const FORMS = [
  new RegExp(`^\\(?${PAIR}\\)?$`),
  // Google: the pin is more exact than the middle of the view.
  new RegExp(`!3d${NUMBER}!4d${NUMBER}`),
  // Google and Apple write the place into one of many parameters.
  new RegExp(
    `[?&](?:q|query|ll|center|daddr|saddr|destination|sll|coordinate|viewpoint|cbll)=(?:loc:)?\\s*${PAIR}(?:[&#,]|$)`,
    'i',
  ),
  new RegExp(`/(?:place|search|dir)/(?:[^/]*/)*${PAIR}(?:[/?#]|$)`, 'i'),
  new RegExp(`@${NUMBER},${NUMBER}`),
  new RegExp(`^geo:${NUMBER},${NUMBER}`, 'i'),
];
/** 24°42'49.0"N 46°40'31.1"E, as Google Maps shows a place. */
const DEGREES = /(\d{1,3})°\s*(\d{1,2})['′’]\s*(\d{1,2}(?:\.\d+)?)(?:["″”]|'')?\s*([NSEW])/gi;
const SHORT_LINK = /^(?:https?:\/\/)?(?:maps\.app\.goo\.gl|goo\.gl\/maps|g\.co\/kgs|maps\.apple\/p)\//i;

/** Coordinates as people have them: two numbers, degrees with minutes, or the link of a map. Nothing is requested from another host. */
export function readCoordinates(text: string): Coordinates | undefined {
  const plain = latinDigits(decoded(text)).trim();
  const [lat, lon] = numbersIn(plain) ?? degreesIn(plain) ?? [];
  if (lat === undefined || lon === undefined) return undefined;
  return Math.abs(lat) <= LATITUDE_MOST && Math.abs(lon) <= LONGITUDE_MOST ? { lat, lon } : undefined;
}

/** A link that only its own host can resolve: it holds no coordinates. */
export const isShortLink = (text: string) => SHORT_LINK.test(text.trim());

function numbersIn(text: string): readonly [number, number] | undefined {
  for (const form of FORMS) {
    const found = form.exec(text);
    if (found !== null) return [Number(found[1]), Number(found[2])];
  }
  return undefined;
}

function degreesIn(text: string): readonly [number, number] | undefined {
  const [first, second] = [...text.matchAll(DEGREES)].map(([, degrees, minutes, seconds, side = '']) => ({
    side: side.toUpperCase(),
    value: (Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600) * (/[SW]/i.test(side) ? -1 : 1),
  }));
  if (first === undefined || second === undefined) return undefined;
  const isLatitude = ({ side }: { side: string }) => side === 'N' || side === 'S';
  if (isLatitude(first) === isLatitude(second)) return undefined;
  return isLatitude(first) ? [first.value, second.value] : [second.value, first.value];
}

function decoded(text: string): string {
  if (!/^https?:/i.test(text.trim())) return text;
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** Arabic digits, decimal point and comma. Directional marks come along when a text is copied from a right-to-left page. */
function latinDigits(text: string): string {
  return text
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/٫/g, '.')
    .replace(/،/g, ',')
    .replace(/−/g, '-');
}
