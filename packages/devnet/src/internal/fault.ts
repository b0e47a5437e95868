/** The faults that the proxy injects into calls. */
export type Fault =
  | { readonly type: "delay"; readonly millis: number }
  | { readonly type: "hangUp" }
  | { readonly type: "http"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly type: "rpcError"; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly type: "truncate"; readonly bytes: number }
  | { readonly type: "change"; readonly change: (result: unknown, params: ReadonlyArray<unknown>) => unknown }
  | { readonly type: "loseAnswer" }
