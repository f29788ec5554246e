// Fails on words that docs/glossary.md replaced: in identifiers, file names, comments, messages and documents.
// Usage: node scripts/check-words.mjs [path ...]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './project.mjs';

/** Each banned word with its replacement. A pattern is matched without regard to case unless `exact`. */
const BANNED = [
  { word: /turnstile/, use: 'fair limiter' },
  { word: /doorman/, use: 'request admission' },
  { word: /stepOut|step-out/, use: 'release the slot' },
  { word: /body-?intake/, use: 'body reader' },
  { word: /(?<![a-z])lanes?(?![a-z])|(?<=[a-z])Lanes?(?![a-z])/, use: 'priority class, queue', exact: true },
  { word: /placesPer|feed-?places|answer-?slots|vendor-?slots|dial-?queue|read-?turns/, use: 'FairLimiter' },
  { word: /(?<![a-z])rings?(?![a-z])|ringAfter|onRing|wake-?ups?(?![a-z])/, use: 'notify' },
  { word: /whose-?turn|onBehalfOf/, use: 'tenant context' },
  { word: /nobody|whoever|somebody/, use: 'the noun: no caller, the client, another process' },
  { word: /strangers?(?![a-z])/, use: 'unauthenticated clients' },
  { word: /writeOnce|write-once|findKept/, use: 'idempotent write, stored response' },
  { word: /password-?lane/, use: 'password hash queue' },
  { word: /counted-?words|findRare|isRare/, use: 'status counters, overflow' },
  { word: /(?<!_per_|max_parallel_workers_per_)gather(ed|s|ing)?(?![a-z])/, use: 'batch, collect' },
  { word: /one-?ahead(?![a-z])/, use: 'prefetch' },
  { word: /tellings?(?![a-z])|untold/, use: 'order update, orders without events' },
  {
    word: /(?<![a-zA-Z])([tT]old|TOLD|[tT]ells?)(?![a-z])|(?<![a-z])tell(?=[A-Z])|(?<=[a-z])Told(?![a-z])/,
    use: 'report, say, name',
    exact: true,
  },
  { word: /farings?(?![a-z])/, use: 'install health' },
  { word: /paywall/, use: 'provider install' },
  { word: /errands?(?![a-z])/, use: 'operation, attempt' },
  { word: /(?<![a-z])(proven|proves?|proved)(?![a-z])/, use: 'verified, verify' },
  {
    word: /(?<![a-z])proofs?(?![a-z])/,
    use: 'signature',
    except:
      /partner|payout|proof_key|has_proof|commission|money|overview|png\(\)|proof: receipt|proof\?: string|"proof": |Proof not found/i,
  },
  { word: /firstAside|other-?payloads|processOthers/, use: 'deferHead, payment payload handler' },
  { word: /unmade|is_made/, use: 'pending' },
  { word: /(give|gives|given|giving|gave) ?-?up(?![a-z])/, use: 'dead-letter, abandon, stop retrying' },
  { word: /(?<![a-z])parked|(?<![a-z])parks?(?![a-z])/, use: 'dead-lettered' },
  { word: /passing (errors?|faults?|failures?)/, use: 'transient errors' },
  { word: /(?<![a-z])walls?(?![a-z])|walled/, use: 'import rules' },
  { word: /(?<![a-z])(rooms?|roomiest)(?![a-z])|[rR]equireRoom|hasRoom|makeRoom/, use: 'capacity, layer' },
  { word: /(?<![a-z])doors?(?![a-z])|doorman/, use: 'public entry, sign-in' },
  { word: /(?<![a-z])house(?![a-z])/, use: 'architecture' },
  { word: /(?<![a-z.])floors?(?![a-z(])|\bFloor\b/, use: 'baseline' },
  { word: /surroundings/, use: 'context' },
  { word: /(?<![a-z])moods?(?![a-z])/, use: 'state, load' },
  { word: /shareOut|spreadPayouts/, use: 'apportion' },
];

/** History: migrations that ran are never edited, tests of upgrades name old columns, an ADR speaks of what it replaced. */
const EXEMPT =
  /^(docs\/adr\/|CHANGELOG\.md|migrations\/|.*\/upgrade\.test\.ts$|.*\/paylink-(status|recovery)\.test\.ts$|scripts\/check-words\.mjs|bench\/results\/|package-lock\.json|.*\.(png|woff2|svg|ico|gz|br|jpg|webp)$)/;

/** Standard terms, and names that others gave: an account of the system, a kind of product. */
const QUOTED = [
  /wall clock/,
  /'floor'|floor: '3'/,
  /\/given-up/,
  /account `?nobody`?|'nobody'|user nobody/,
  /Floor cleaner/,
  /floor\(|Math\.floor|math\.floor/,
  /per_gather/,
];

const asked = process.argv.slice(2).map((path) => relative(root, join(process.cwd(), path)));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...asked], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});

const words = BANNED.map(({ word, exact, ...rest }) => ({ pattern: new RegExp(word, exact ? '' : 'i'), ...rest }));
const quotes = QUOTED.map((quoted) => new RegExp(quoted, 'g'));

let faults = 0;
for (const path of tracked.split('\n').filter((path) => path !== '' && !EXEMPT.test(path))) {
  const text = `${path}\n${readText(path)}`;
  const unquoted = quotes.reduce((rest, quoted) => rest.replace(quoted, ''), text);
  // Each file is searched as a whole first: line by line, the check took six times the CPU time.
  const found = words.filter(({ pattern }) => pattern.test(unquoted));
  if (found.length === 0) continue;
  const lines = text.split('\n');
  for (const [number, line] of unquoted.split('\n').entries()) {
    for (const { pattern, use, except } of found) {
      const word = pattern.exec(line)?.[0];
      if (word === undefined || except?.test(`${path} ${lines[number]}`)) continue;
      faults += 1;
      console.log(`${path}:${number}: "${word}" (use: ${use}): ${lines[number].trim().slice(0, 140)}`);
    }
  }
}
console.log(faults === 0 ? 'No banned words.' : `${faults} banned words.`);
process.exitCode = faults === 0 ? 0 : 1;

function readText(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}
