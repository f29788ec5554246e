import { type Answer, type CallArguments, type Dukkan, DukkanError, type OperationId } from '@dukkan/sdk';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { reloadAccount, useSession, withToken } from './session.ts';

/** The SDK repeats what may be repeated; asking again on top of that would only delay the bad news. */
export function createQueries(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: lookAgainWhenShut }),
    mutationCache: new MutationCache({ onError: lookAgainWhenShut }),
    defaultOptions: {
      // Tried even where the browser believes to be offline: a page says that nothing answers, instead of waiting for ever,
      // and reads again when the connection is back.
      queries: {
        retry: false,
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Suspended, or a second factor required, while somebody was at work: the frame has to know, and says what to do. */
function lookAgainWhenShut(error: Error): void {
  if (!(error instanceof DukkanError)) return;
  if (error.status === 402 || (error.status === 403 && error.reason === 'second-factor-required')) void reloadAccount();
}

/** The client for the organization that is open. */
export function useApi(): Dukkan {
  return withToken(useOrganizationId());
}

type Given<Id extends OperationId, Format extends string> = Omit<CallArguments<Id>, 'signal' | 'headers'> & {
  query?: { format?: Format };
};
type ReadOptions<Data> = Pick<UseQueryOptions<Data>, 'enabled' | 'staleTime' | 'refetchInterval'> & {
  /** Shows the rows of before while those of another page or filter are on their way. */
  keepPrevious?: boolean;
};

/** Reads one operation: `useRead('listOrders', {query: {page: 2}})`. Kept by organization, operation and what was given. */
export function useRead<Id extends OperationId, const Format extends string = string>(
  operation: Id,
  given: Given<Id, Format>,
  { keepPrevious, ...options }: ReadOptions<Answer<Id, Format>> = {},
): UseQueryResult<Answer<Id, Format>> {
  const api = useApi();
  const call = api.call as (operation: Id, given: object) => Promise<Answer<Id, Format>>;
  return useQuery<Answer<Id, Format>>({
    queryKey: [useOrganizationId(), operation, given],
    queryFn: ({ signal }) => call(operation, { ...given, signal }),
    ...(keepPrevious === true ? { placeholderData: keepPreviousData as never } : {}),
    ...options,
  });
}

/** After a write: whatever was read by these operations is read again where it is on the page. */
export function useReadAgain(): (...operations: (OperationId | string)[]) => Promise<void> {
  const queries = useQueryClient();
  const organizationId = useOrganizationId();
  return async (...operations) => {
    await Promise.all(operations.map((name) => queries.invalidateQueries({ queryKey: [organizationId, name] })));
  };
}

function useOrganizationId(): string | undefined {
  const session = useSession();
  return session.phase === 'in' ? session.organization?.id : undefined;
}
