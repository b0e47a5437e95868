/** The types and the shared parts of the query options, for any TanStack Query adapter. */
import { SwapError as SwapErrors } from "@geoswap/core"
import type { SwapError } from "@geoswap/core/promise"
import type { QueryFunction, QueryKey, QueryObserverOptions } from "@tanstack/query-core"

/** Options for `useQuery`, `QueryClient.query` and similar functions. Errors are the client's errors. */
export type Options<Data> = Omit<QueryObserverOptions<Data, SwapError>, "select"> & {
  readonly queryKey: QueryKey
  readonly queryFn: QueryFunction<Data>
}

/**
 * Turns off every kind of caching, regardless of the `QueryClient` defaults. There is no initial data, placeholder or
 * persisted copy, and the data is removed with its last observer.
 */
export const uncached = {
  gcTime: 0,
  initialData: () => undefined,
  persister: <Data, Context>(fetchData: (context: Context) => Data, context: Context): Data => fetchData(context),
  placeholderData: () => undefined,
  structuralSharing: false
} as const

/**
 * Adds a property that serializers ignore: neither `JSON.stringify` nor `structuredClone` copies a property that is not
 * enumerable. A persister that stores the whole cache, or a plugin that sends it to other tabs, never receives the
 * property.
 */
export const withHidden = <A extends object, Name extends string, Value>(
  object: A,
  name: Name,
  get: () => Value
): A & { readonly [_ in Name]: Value } => Object.defineProperty(object, name, { get }) as never

/** Rejects a call to a query that is disabled because its input is missing. */
export const rejectMissing = (field: string): Promise<never> =>
  Promise.reject(
    new SwapErrors.InvalidInput({ field, message: `${field}: missing. The query is disabled without it.` })
  )
