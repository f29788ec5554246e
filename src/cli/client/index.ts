import { defineCommand } from '../command.ts';
import { CLIENT_OPTIONS, connect } from './connect.ts';
import { listen } from './listen.ts';
import { tail } from './tail.ts';
import { trigger } from './trigger.ts';

const mcp = defineCommand({
  name: 'mcp',
  summary: 'offer the API to an assistant over the Model Context Protocol, on standard input and output',
  options: {
    allow: {
      value: 'OPERATIONS',
      meaning: 'writes to offer beside all reads, by operationId with commas between them',
      repeated: true,
    },
    ...CLIENT_OPTIONS,
  },
  example: 'mcp --allow createOrder,advanceOrder',
  details: `Tools are the operations that the service itself describes, under the same names; what a call may see and do follows from the grants of
the token. No write is offered that --allow does not name.`,
  answers: false,
  async run(context, { options }) {
    // Read only here: the protocol's package would cost every other command 200 ms.
    const { serveMcp } = await import('./mcp.ts');
    const { dukkan } = connect(context, options);
    const allowed = options.allow.flatMap((text) => text.split(',')).map((text) => text.trim());
    await serveMcp(dukkan, new Set(allowed.filter((name) => name !== '')), context.screen);
    return { exitCode: 0 };
  },
});

/** Commands that speak to a service as any client does: no database, no settings. */
export const CLIENT_COMMANDS = [listen, trigger, tail, mcp];
