/** Tools for agents: quote, swap, watch and resume, as plain functions with JSON schemas. */
export type { Backend, Call, ExecuteOrder, Executed, Order } from "./Backend.js"
export { createTools } from "./createTools.js"
export { fromClient, fromSessions, type SessionBackendOptions } from "./fromClient.js"
export type { JsonSchema, ObjectSchema } from "./JsonSchema.js"
export {
  type ChainToken,
  formatToken,
  type NamedChain,
  type Names,
  resolveChain,
  resolveToken,
  tokenAt,
  tokenView
} from "./names.js"
export type { OpenSession, Session, SwapRecords, ToolClient, Use } from "./session.js"
export { quoteView, sideView, swapView } from "./swapView.js"
export type { Annotations, RunOptions, Tool, ToolProgress, ToolResult } from "./Tool.js"
export { ToolError, type ToolErrorFields } from "./ToolError.js"
export { clean } from "./untrusted.js"
export type * as View from "./views.js"
