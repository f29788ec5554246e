import { type Answer, type CallArguments, type Dukkan, DukkanError, type OperationId } from '@dukkan/sdk';
import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Scope } from './scope.ts';
import { reloadAccount, useScope } from './session.ts';

const ofScope = new WeakMap<Scope, QueryClient>();

/** The query cache of one scope. */
export function queriesOf(scope: Scope): QueryClient {
  const known = ofScope.get(scope);
  if (known !== undefined) return known;
  const queries = createQueries();
  ofScope.set(scope, queries);
  scope.signal.addEventListener('abort', () => queries.clear());
  return queries;
}

/** The SDK already retries; further retries would only delay the error. */
export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        lookAgainWhenShut(error);
        if (isRefusal(error)) dropAnswers(queries, query, error);
      },
    }),
    mutationCache: new MutationCache({ onError: lookAgainWhenShut }),
    defaultOptions: {
      // Requests are sent even when the browser reports offline: the page shows an error instead of waiting forever, and reads
      // again when the connection is back.
      queries: {
        retry: false,
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // Variables hold passwords and customer data: they are dropped with the page.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
  return queries;
}

/** The service refused the request. 408, 429, 5xx and network failures are transient and do not count. */
function isRefusal(error: Error): error is DukkanError {
  if (!(error instanceof DukkanError)) return false;
  return error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status);
}

/**
 * A refusal replaces the earlier answer on every page that shows it. After 401 and 403 the other answers of the same operation
 * are removed too, unless a page shows them and so reads them itself: `keepPrevious` would show them in the meantime.
 */
function dropAnswers(queries: QueryClient, refused: Query<unknown, unknown>, { status }: DukkanError): void {
  refused.setState({ data: undefined });
  if (status !== 401 && status !== 403) return;
  for (const other of queries.getQueryCache().findAll({ queryKey: refused.queryKey.slice(0, 2), type: 'inactive' })) {
    other.setState({ data: undefined });
    queries.getQueryCache().remove(other);
  }
}

/** Suspended, or a second factor required, during work: reloads the account, so that the frame shows what to do. */
function lookAgainWhenShut(error: Error): void {
  if (!(error instanceof DukkanError)) return;
  if (error.status === 402 || (error.status === 403 && error.reason === 'second-factor-required')) void reloadAccount();
}

/** The client for the organization that is open. */
export function useApi(): Dukkan {
  return useScope().api;
}

type ReadArguments<Id extends OperationId, Format extends string> = Omit<CallArguments<Id>, 'signal' | 'headers'> & {
  query?: { format?: Format };
};
type ReadOptions<Data> = Pick<
  UseQueryOptions<Data>,
  'enabled' | 'staleTime' | 'refetchInterval' | 'structuralSharing'
> & {
  /** Shows the previous rows while another page or filter loads. */
  keepPrevious?: boolean;
};

/** Reads one operation: `useRead('listOrders', {query: {page: 2}})`. Cached in the scope by organization, operation and argument. */
export function useRead<Id extends OperationId, const Format extends string = string>(
  operation: Id,
  argument: ReadArguments<Id, Format>,
  { keepPrevious, ...options }: ReadOptions<Answer<Id, Format>> = {},
): UseQueryResult<Answer<Id, Format>> {
  const api = useApi();
  const call = api.call as (operation: Id, argument: object) => Promise<Answer<Id, Format>>;
  return useQuery<Answer<Id, Format>>({
    queryKey: [useScope().organizationId, operation, argument],
    queryFn: ({ signal }) => call(operation, { ...argument, signal }),
    ...(keepPrevious === true ? { placeholderData: keepPreviousData as never } : {}),
    ...options,
  });
}

/** After a write: reads these operations again where the page shows them. */
export function useReadAgain(): (...operations: (OperationId | string)[]) => Promise<void> {
  const queries = useQueryClient();
  const { organizationId } = useScope();
  return async (...operations) => {
    await Promise.all(operations.map((name) => queries.invalidateQueries({ queryKey: [organizationId, name] })));
  };
}
