import packageFile from '../../../package.json' with { type: 'json' };
import { type Dukkan, DukkanError } from '../../../sdk/src/index.ts';
import type { Screen } from '../show-progress.ts';
import { untilInterrupted } from './connect.ts';
import { type CallToolResult, serveLines } from './mcp-protocol.ts';
import { type ApiDescription, describeTools, requestOf, type Tool } from './mcp-tools.ts';

/** What an assistant can read at once; a page of a hundred orders has about as much. */
const MAX_CHARACTERS = 100_000;
/** A read of the change feed may wait for half a minute by itself. */
const TIMEOUT_MS = 60_000;

/** Answers calls of tools until its client leaves. Standard output belongs to the protocol; remarks go to the screen. */
export async function serveMcp(dukkan: Dukkan, allowed: ReadonlySet<string>, screen: Screen): Promise<void> {
  const { data } = await dukkan.send({ operation: 'openapi', method: 'GET', path: '/openapi.json' });
  const tools = describeTools(data as ApiDescription, allowed);
  const server = {
    info: { name: 'dukkan', title: 'Dukkan', version: packageFile.version },
    instructions:
      'Commerce operations of one organization: branches, products, SKUs, orders, customers, payments, webhooks. Amounts are in the ' +
      'currency beside them, times are RFC 3339. Lists have pages: ask for the next one where has_next is true.',
    tools: [...tools.values()].map(({ shown }) => shown),
    call: async (name: string, given: Record<string, unknown>, signal: AbortSignal) => {
      const tool = tools.get(name);
      if (tool === undefined) return failed({ error: `There is no tool ${name}, or --allow does not name it` });
      return await callTool(dukkan, tool, given, signal);
    },
  };
  screen.write(`${tools.size} tools are offered\n`);
  const { signal, end } = untilInterrupted();
  // A client ends it by closing our input.
  signal.addEventListener('abort', () => process.stdin.destroy());
  await serveLines(server, process.stdin, process.stdout).catch((error) => {
    if (!signal.aborted) throw error;
  });
  end();
}

async function callTool(
  dukkan: Dukkan,
  tool: Tool,
  given: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const request = requestOf(tool, given);
    const { data } = await dukkan.send({ ...request, signal, timeoutMs: TIMEOUT_MS });
    return {
      content: [{ type: 'text', text: bounded(typeof data === 'string' ? data : JSON.stringify(data ?? null)) }],
    };
  } catch (error) {
    if (!(error instanceof DukkanError)) throw error;
    const { status, reason, message, details, requestId } = error;
    return failed({ status, reason, error: message, details, request_id: requestId });
  }
}

function failed(what: object): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: bounded(JSON.stringify(what)) }] };
}

function bounded(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[cut: the first ${MAX_CHARACTERS} of ${text.length} characters; ask for fewer rows, such as with limit]`;
}
