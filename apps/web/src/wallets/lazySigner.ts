/** Signers whose code is loaded on first use. */
import type { PromiseEvmSigner, PromiseSolanaSigner } from "@geoswap/core/promise"

/** Returns what a lazy signer consists of: methods that load the signer first. A failed load is retried. */
const lazily = <Signer>(make: () => Promise<Signer>) => {
  let loading: Promise<Signer> | undefined
  const load = () => {
    loading ??= make().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    // Errors are ignored, because loading is retried when the signer is used.
    preload: () => void load().catch(() => undefined),
    /**
     * Throws if the signer does not have the method. Otherwise, a signer without verification could be mistaken for a
     * signer that verifies.
     */
    method: <Name extends keyof Signer>(name: Name) =>
      (async (...args: ReadonlyArray<unknown>) => {
        const signer: { readonly [_ in Name]?: unknown } = await load()
        const method = signer[name] as ((...args: ReadonlyArray<unknown>) => unknown) | undefined
        if (method === undefined) throw new Error("The wallet's signing code is missing a required method.")
        return method(...args)
      }) as Signer[Name] & {}
  }
}

/**
 * Creates a lazy EVM signer, which signs typed data. `authorization` indicates whether the signer can sign delegations.
 */
export const lazyEvm = (address: string, authorization: boolean, make: () => Promise<PromiseEvmSigner>) => {
  const { method, preload } = lazily(make)
  const signer: PromiseEvmSigner = {
    address,
    capabilities: { authorization, typedData: true },
    verifyOperation: method("verifyOperation"),
    signOperation: method("signOperation"),
    verifyPayment: method("verifyPayment"),
    signPayment: method("signPayment"),
    ...(authorization && {
      signAuthorization: method("signAuthorization"),
      signRevocation: method("signRevocation")
    })
  }
  return { signer, preload }
}

/** Creates a lazy Solana signer. */
export const lazySolana = (address: string, make: () => Promise<PromiseSolanaSigner>) => {
  const { method, preload } = lazily(make)
  const signer: PromiseSolanaSigner = {
    address,
    verifyTransaction: method("verifyTransaction"),
    signTransaction: method("signTransaction")
  }
  return { signer, preload }
}
