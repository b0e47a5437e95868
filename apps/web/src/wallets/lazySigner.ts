/** Signers whose code is loaded on first use. */
import type { PromiseEvmSigner, PromiseSolanaSigner } from "@geoswap/core/promise"

/** A signer and a function that preloads its code. */
interface LazySigner<Signer> {
  readonly signer: Signer
  readonly preload: () => void
}

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
    method:
      <Args extends ReadonlyArray<unknown>, A>(
        find: (signer: Signer) => ((...args: Args) => A | Promise<A>) | undefined
      ) =>
      async (...args: Args): Promise<A> => {
        const method = find(await load())
        if (method === undefined) throw new Error("The wallet's signing code is missing a required method.")
        return method(...args)
      }
  }
}

/**
 * Creates a lazy EVM signer, which signs typed data. `authorization` indicates whether the signer can sign delegations.
 */
export const lazyEvm = (
  address: string,
  authorization: boolean,
  make: () => Promise<PromiseEvmSigner>
): LazySigner<PromiseEvmSigner> => {
  const { method, preload } = lazily(make)
  const signer: PromiseEvmSigner = {
    address,
    capabilities: { authorization, typedData: true },
    verifyOperation: method(({ verifyOperation }) => verifyOperation),
    signOperation: method(({ signOperation }) => signOperation),
    verifyPayment: method(({ verifyPayment }) => verifyPayment),
    signPayment: method(({ signPayment }) => signPayment),
    ...(authorization && {
      signAuthorization: method(({ signAuthorization }) => signAuthorization),
      signRevocation: method(({ signRevocation }) => signRevocation)
    })
  }
  return { signer, preload }
}

/** Creates a lazy Solana signer. */
export const lazySolana = (
  address: string,
  make: () => Promise<PromiseSolanaSigner>
): LazySigner<PromiseSolanaSigner> => {
  const { method, preload } = lazily(make)
  const signer: PromiseSolanaSigner = {
    address,
    verifyTransaction: method(({ verifyTransaction }) => verifyTransaction),
    signTransaction: method(({ signTransaction }) => signTransaction)
  }
  return { signer, preload }
}
