export type ServerSentEvent = { id: string; data: string };

/**
 * Events of a stream as they become whole: one whose end was cut off is not given out. `undefined` stands for anything else
 * that came, such as the comments that show that the connection lives.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | undefined, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      if (blocks.length === 0) yield undefined;
      for (const block of blocks) yield parseBlock(block);
    }
  } finally {
    // Ending the iteration closes the connection as well.
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  let id = '';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
}
