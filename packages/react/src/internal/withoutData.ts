/** Removes the data from a query's result. */
import type { QueryObserverResult } from "@tanstack/query-core"

/** Returns a query's result as if the query had never received data. */
export const withoutData = <Data, Failure>(
  result: QueryObserverResult<Data, Failure>
): QueryObserverResult<Data, Failure> => {
  const { isFetching } = result
  // A query without data has no error while it is fetching.
  const isError = result.isError && !isFetching
  return {
    ...result,
    data: undefined,
    dataUpdatedAt: 0,
    error: isError ? result.error : null,
    isError,
    // oxlint-disable-next-line typescript/no-deprecated -- the result still contains it
    isInitialLoading: isFetching,
    isLoading: isFetching,
    isLoadingError: isError,
    isPending: !isError,
    isPlaceholderData: false,
    isRefetchError: false,
    isRefetching: false,
    isSuccess: false,
    status: isError ? "error" : "pending"
  } as QueryObserverResult<Data, Failure>
}
