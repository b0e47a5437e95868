/** HTTP requests to the service and its responses. */

/** The protocol's endpoints, named after the last segment of their path. */
export type Endpoint =
  | "quote"
  | "delegation"
  | "change-delegation"
  | "delegation-status"
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
  /** The body, as a JSON string. */
  readonly body?: string
  /** Additional headers, with lowercase names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response. Header names are lowercase. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
