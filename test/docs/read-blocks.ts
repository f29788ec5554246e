/** How a block wants to be run; written before it as `<!-- run: ... -->`. Without one, its language decides. */
export type Order =
  /** With the page's other blocks, in turn. */
  | { kind: 'run' }
  /** Before the service starts: what the service is to find there. */
  | { kind: 'first' }
  /** At the beginning of every page. */
  | { kind: 'everywhere' }
  /** It shows that the service refuses something. */
  | { kind: 'refused' }
  /** What the block before it printed. */
  | { kind: 'output' }
  /** A sample that checks a signature: it is given a real delivery. */
  | { kind: 'verify' }
  /** Cannot be run by a test, and why. */
  | { kind: 'no'; reason: string }
  /** The service cannot do that yet. */
  | { kind: 'later' };

export type Block = {
  file: string;
  /** Of its first line of code. */
  line: number;
  language: string;
  text: string;
  order: Order;
};

const FENCE = /^(\s*)(`{3,})(\S*)/;
const ORDER = /^<!-- run: (.*?) -->$/;
const PLAIN_ORDERS = ['first', 'everywhere', 'refused', 'output', 'verify', 'later'] as const;

/** The fenced blocks of a page. What cannot be understood is an error that names its line. */
export function readBlocks(file: string, markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let order: Order = { kind: 'run' };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const found = ORDER.exec(line.trim());
    const fence = FENCE.exec(line);
    if (found !== null) order = readOrder(found[1] ?? '', `${file}:${index + 1}`);
    else if (fence !== null) {
      const [, indent = '', ticks = '```', language = ''] = fence;
      const end = lines.findIndex((later, at) => at > index && later.trim() === ticks);
      if (end < 0) throw new Error(`${file}:${index + 1}: a block is opened and not closed`);
      const text = lines
        .slice(index + 1, end)
        .map((inner) => (inner.startsWith(indent) ? inner.slice(indent.length) : inner))
        .join('\n');
      blocks.push({ file, line: index + 2, language, text, order });
      order = { kind: 'run' };
      index = end;
    } else if (line.trim() !== '' && order.kind !== 'run') {
      throw new Error(`${file}:${index + 1}: how a block is run is said on the line before it`);
    }
  }
  return blocks;
}

function readOrder(words: string, where: string): Order {
  const reason = /^no, (.{10,})$/.exec(words)?.[1];
  if (reason !== undefined) return { kind: 'no', reason };
  const kind = PLAIN_ORDERS.find((name) => name === words);
  if (kind === undefined)
    throw new Error(`${where}: "run: ${words}" is none of ${PLAIN_ORDERS.join(', ')}, no, <reason>`);
  return { kind };
}

/** Commands that no test would run, because the block is not marked as shell. */
export function hidesCommands({ language, text }: Block): boolean {
  return ['', 'text'].includes(language) && /^\s*(\$ |curl |npm |node |npx )/m.test(text);
}
