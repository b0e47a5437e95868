/** What goes to the service and comes back, as HTTP has it. */

/** The endpoints of the document, by the last part of their path. */
export type Endpoint =
  | "quote"
  | "delegation"
  | "build-geo-op"
  | "build-solana-tx"
  | "submit"
  | "submit-solana"
  | "status"
  | "chains"

/** A request as it leaves; whoever carries it adds the base address and the API key. */
export interface HttpRequest {
  readonly endpoint: Endpoint
  readonly method: "GET" | "POST"
  /** Path and query, beginning with a slash. */
  readonly path: string
  /** JSON text. */
  readonly body?: string
  /** Headers that go along, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer as it came. Header names are lower case. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
