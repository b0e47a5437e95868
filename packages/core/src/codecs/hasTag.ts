/** Recognizes one kind of error, also from another copy of this package. */
import { isSwapError, type SwapError } from "../SwapError.js"

/**
 * Whether a thrown value is the error with this tag. Unlike `instanceof`, this also recognizes errors from another copy
 * of this package, such as the one that an adapter's promise entry point bundles for Node.
 */
export const hasTag = <Tag extends SwapError["_tag"]>(
  tag: Tag,
  thrown: unknown
): thrown is Extract<SwapError, { readonly _tag: Tag }> => isSwapError(thrown) && thrown._tag === tag
