/** Signers whose code is loaded on first use. */
import type { PromiseEvmSigner, PromiseSolanaSigner } from "@geoswap/core/promise"

/** A signer and a function that preloads its code. */
interface LazySigner<Signer> {
  readonly signer: Signer
  readonly preload: () => void
}

/** Loads a module once. A failed load is retried on the next call. */
const loadOnce = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loading: Promise<A> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/**
 * Returns a function that preloads the code. Errors are ignored, because loading is retried when the signer is used.
 */
const preloading = (load: () => Promise<unknown>) => () => void load().catch(() => undefined)

/**
 * Throws if a method is missing. Otherwise, a signer without verification could be mistaken for a signer that verifies.
 */
const requireMethod = <A>(method: A | undefined): A => {
  if (method === undefined) throw new Error("The wallet's signing code is missing a required method.")
  return method
}

/**
 * Creates a lazy EVM signer, which signs typed data. `authorization` indicates whether the signer can sign delegations.
 */
export const lazyEvm = (
  address: string,
  authorization: boolean,
  make: () => Promise<PromiseEvmSigner>
): LazySigner<PromiseEvmSigner> => {
  const load = loadOnce(make)
  const signer: PromiseEvmSigner = {
    address,
    capabilities: { authorization, typedData: true },
    verifyOperation: async (operation, abort) => requireMethod((await load()).verifyOperation)(operation, abort),
    signOperation: async (operation, abort) => (await load()).signOperation(operation, abort),
    verifyPayment: async (payment, abort) => requireMethod((await load()).verifyPayment)(payment, abort),
    signPayment: async (payment, abort) => requireMethod((await load()).signPayment)(payment, abort),
    ...(authorization && {
      signAuthorization: async (tuple, abort) => requireMethod((await load()).signAuthorization)(tuple, abort),
      signRevocation: async (revocation, abort) => requireMethod((await load()).signRevocation)(revocation, abort)
    })
  }
  return { signer, preload: preloading(load) }
}

/** Creates a lazy Solana signer. */
export const lazySolana = (
  address: string,
  make: () => Promise<PromiseSolanaSigner>
): LazySigner<PromiseSolanaSigner> => {
  const load = loadOnce(make)
  const signer: PromiseSolanaSigner = {
    address,
    verifyTransaction: async (transaction, abort) =>
      requireMethod((await load()).verifyTransaction)(transaction, abort),
    signTransaction: async (transaction, abort) => (await load()).signTransaction(transaction, abort)
  }
  return { signer, preload: preloading(load) }
}
