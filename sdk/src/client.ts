import { type ChangesOptions, followChanges } from './changes.ts';
import { DukkanError } from './error.ts';
import { OPERATIONS } from './operations.gen.ts';
import { nextPage, rowsOf } from './paging.ts';
import { createTransport, type DukkanOptions, type FullAnswer, type RawRequest } from './transport.ts';
import type {
  Answer,
  BareId,
  CallArguments,
  CallOptions,
  FormatOf,
  InFormat,
  Job,
  ListId,
  OperationId,
  OrderEvent,
  QueueableId,
  Queued,
  Row,
} from './typing.ts';
import { wait } from './waiting.ts';

/** Arguments may be left out where nothing is required. */
type Calling<As extends 'answer' | 'full'> = {
  <Id extends OperationId, const Format extends FormatOf<Id> = FormatOf<Id>>(
    operation: Id,
    given: CallArguments<Id> & InFormat<Format>,
  ): Promise<As extends 'full' ? FullAnswer<Answer<Id, Format>> : Answer<Id, Format>>;
  <Id extends BareId>(operation: Id): Promise<As extends 'full' ? FullAnswer<Answer<Id>> : Answer<Id>>;
};

type Listing<As extends 'pages' | 'rows'> = {
  <Id extends ListId, const Format extends FormatOf<Id> = FormatOf<Id>>(
    operation: Id,
    given: CallArguments<Id> & InFormat<Format>,
  ): AsyncGenerator<As extends 'rows' ? Row<Id, Format> : Answer<Id, Format>, void, undefined>;
  <Id extends ListId & BareId>(
    operation: Id,
  ): AsyncGenerator<As extends 'rows' ? Row<Id> : Answer<Id>, void, undefined>;
};

export type Dukkan = {
  /** The answer's body. A refusal, or no answer after all repeats, is thrown as a DukkanError. */
  call: Calling<'answer'>;
  /** With its status and headers. */
  callFull: Calling<'full'>;
  /** Queued (`X-Async`): the answer has the job that does it. */
  callLater<Id extends QueueableId>(operation: Id, given: CallArguments<Id>): Promise<Queued>;
  /** Looks at a job until it has succeeded or failed, which its `status` says. */
  finishJob(id: string, options?: { everyMs?: number; signal?: AbortSignal }): Promise<Job>;
  /** The pages of a list, from `query.page` (or `cursor`) on. */
  pages: Listing<'pages'>;
  /** Its rows, one by one. */
  items: Listing<'rows'>;
  /** Every change of an order from a position on, each once and in order, across lost connections and restarts. */
  changes(options?: ChangesOptions): AsyncGenerator<OrderEvent, void, undefined>;
  /** For what the types do not know, such as a newer service. */
  send(request: RawRequest): Promise<FullAnswer<unknown>>;
};

const JOB_EVERY_MS = 500;

export function createDukkan(options: DukkanOptions): Dukkan {
  const transport = createTransport(options);

  const callFull = (operation: OperationId, given: LooseArguments = {}) => transport.send(requestOf(operation, given));

  async function* pages(operation: OperationId, given: LooseArguments = {}) {
    let query: Record<string, unknown> | undefined = given.query ?? {};
    while (query !== undefined) {
      const { data } = await callFull(operation, { ...given, query });
      yield data;
      query = nextPage(data, query);
    }
  }

  async function* items(operation: OperationId, given?: LooseArguments) {
    for await (const page of pages(operation, given)) yield* rowsOf(page);
  }

  async function finishJob(
    id: string,
    { everyMs = JOB_EVERY_MS, signal }: { everyMs?: number; signal?: AbortSignal } = {},
  ) {
    for (;;) {
      const { data } = await callFull('getJob', { path: { id }, ...(signal && { signal }) });
      const job = data as Job;
      if (job.status === 'succeeded' || job.status === 'failed') return job;
      await wait(everyMs, signal);
      signal?.throwIfAborted();
    }
  }

  const client = {
    call: async (operation: OperationId, given?: LooseArguments) => (await callFull(operation, given)).data,
    callFull,
    callLater: async (operation: OperationId, given?: LooseArguments) =>
      (await callFull(operation, { ...given, headers: { ...given?.headers, 'x-async': 'true' } })).data,
    finishJob,
    pages,
    items,
    changes: (following?: ChangesOptions) => followChanges(transport, following),
    send: transport.send,
  };
  // The types of each operation are the caller's; in here all of them are one.
  return client as unknown as Dukkan;
}

type LooseArguments = CallOptions & {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

function requestOf(operation: OperationId, given: LooseArguments): RawRequest {
  const entry: string | undefined = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (entry === undefined) throw new TypeError(`There is no operation ${operation}`);
  const [method = '', template = '', flags = ''] = entry.split(' ');
  // A key that the operation does not take would make its repeats look safe.
  const { path, idempotencyKey = newKey(), ...others } = given;
  return {
    ...others,
    operation,
    method,
    path: fillPath(operation, template, path ?? {}),
    takesOrganization: flags.includes('o'),
    ...(flags.includes('i') ? { idempotencyKey } : {}),
  };
}

/** A name of dots would be taken for a folder by every URL parser, encoded or not, and reach another route. */
function fillPath(operation: string, template: string, values: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    const text = value === undefined || value === null ? '' : String(value);
    if (text === '' || text === '.' || text === '..') {
      throw new DukkanError(`${operation} needs path.${name}`, { status: 0, reason: 'missing-path', operation });
    }
    return encodeURIComponent(text);
  });
}

/** `randomUUID` is there on secure pages only. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
