/** Tools for agents: quote, swap, watch and resume, as plain functions with JSON schemas. */
export { keyFor, ordersRecord, repeatWindow } from "./automaticKey.js"
export type { Backend, Call, ExecuteOrder, Executed, Order, Progress } from "./Backend.js"
export { createTools } from "./createTools.js"
export { type ClientBackendOptions, fromClient } from "./fromClient.js"
export type { JsonSchema, ObjectSchema } from "./JsonSchema.js"
export {
  type ChainToken,
  formatToken,
  type NamedChain,
  type Names,
  type PinnedToken,
  resolveChain,
  resolveToken,
  tokenAt,
  tokenView
} from "./names.js"
export { progressOf } from "./progressOf.js"
export { quoteView, sideView, swapView } from "./swapView.js"
export type { Annotations, RunOptions, Tool, ToolProgress, ToolResult } from "./Tool.js"
export { ToolError, type ToolErrorFields } from "./ToolError.js"
export { withTimeline } from "./tools/fields.js"
export { clean } from "./untrusted.js"
export type * as View from "./views.js"
