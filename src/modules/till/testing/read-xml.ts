export type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string };

const TOKEN = /<\/([\w:]+)>|<([\w:]+)((?: [\w:]+="[^"<&]*")*)>|([^<]+)/y;
const NAMED = { lt: '<', gt: '>', amp: '&' } as Record<string, string>;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/u;

/** Reads XML without comments, DTD and empty-element tags, and throws at whatever is not well formed. */
export function readXml(document: string): Node {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error('no declaration');
  const xml = document.slice(declaration.length);
  if (FORBIDDEN.test(xml)) throw new Error('a character that XML does not have');
  const top: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  let at = 0;
  while (at < xml.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(xml);
    if (found === null) throw new Error(`not well formed at ${xml.slice(at, at + 60)}`);
    at = TOKEN.lastIndex;
    const [, closed, opened, attributes = '', text] = found;
    const current = open.at(-1) ?? top;
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`${closed} is closed and was not open`);
    } else if (opened !== undefined) {
      const node: Node = { name: opened, attributes: attributesOf(attributes), children: [], text: '' };
      current.children.push(node);
      open.push(node);
    } else current.text += unescaped(text ?? '');
  }
  const [root] = top.children;
  if (open.length !== 1 || root === undefined || top.children.length !== 1) throw new Error('not one closed root');
  return root;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/ ([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

function unescaped(text: string): string {
  if (/&(?!(?:lt|gt|amp);)/.test(text)) throw new Error(`an ampersand of its own: ${text}`);
  return text.replace(/&(\w+);/g, (_all, name: string) => NAMED[name] ?? '');
}

export function nodesAt(node: Node, ...path: string[]): Node[] {
  const [name, ...rest] = path;
  if (name === undefined) return [node];
  return node.children.filter((child) => child.name === name).flatMap((child) => nodesAt(child, ...rest));
}

export function textAt(node: Node, ...path: string[]): string | undefined {
  return nodesAt(node, ...path)[0]?.text;
}
