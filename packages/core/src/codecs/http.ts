/** HTTP requests to the service, and its responses. */

/** The endpoints of the protocol, by the last part of their path. */
export type Endpoint =
  | "quote"
  | "delegation"
  | "build-geo-op"
  | "build-solana-tx"
  | "submit"
  | "submit-solana"
  | "status"
  | "chains"

/** A request. The transport adds the base URL and the API key. */
export interface HttpRequest {
  readonly endpoint: Endpoint
  readonly method: "GET" | "POST"
  /** The path and query, starting with a slash. */
  readonly path: string
  /** JSON. */
  readonly body?: string
  /** Additional headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response. Header names are in lower case. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
