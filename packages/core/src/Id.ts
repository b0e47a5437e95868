/**
 * The ids in the protocol. Each id has its own type, so that `resume(swapId)` does not compile. A plain string, for
 * example from your own database, is accepted as any id. The property `~geoswap/id` exists only in the types.
 */
import * as Schema from "effect/Schema"
import * as Hex from "./Hex.js"

/**
 * The form of a swap id: letters, digits and the punctuation used in base64 and UUIDs, but nothing that is special in a
 * shell or in HTML. It does not start with a dash, because a command would read it as a flag, nor with a dot, because URL
 * normalization would remove an id of dots. Because ids are displayed and logged, the maximum length is too short to hold
 * a signature.
 */
const swapId = /^[\w~:/+=][\w.~:/+=-]{0,127}$/

// The types are written out in the schemas. Otherwise, other packages could not name them in their declarations.

/** Identifies a swap. The service returns it from a submit call. */
export const SwapId = /* @__PURE__ */ Schema.String.check(/* @__PURE__ */ Schema.isPattern(swapId)) as Schema.Codec<
  string & { readonly "~geoswap/id"?: "SwapId" },
  string
>
export type SwapId = (typeof SwapId)["Type"]

/** Identifies a signed flow in the store. The client creates it before it submits the signature. */
export const FlowId = Schema.NonEmptyString as Schema.Codec<string & { readonly "~geoswap/id"?: "FlowId" }, string>
export type FlowId = (typeof FlowId)["Type"]

/** Identifies the payment for a swap in the vault contract: 32 bytes in lowercase hex. It is part of what is signed. */
export const OrderId = Hex.Bytes32 as Schema.Codec<Hex.Hex & { readonly "~geoswap/id"?: "OrderId" }, string>
export type OrderId = (typeof OrderId)["Type"]

/** Whether a value is a valid swap id. */
export const isSwapId = (text: unknown): text is SwapId => typeof text === "string" && swapId.test(text)
