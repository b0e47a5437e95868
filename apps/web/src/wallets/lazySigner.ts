/** Signers whose code is loaded when it is first needed. */
import type { EvmSigner, SolanaSigner } from "@geoswap/core/promise"

/** A signer, and what loads its code ahead of time. */
interface Lazy<Signer> {
  readonly signer: Signer
  readonly preload: () => void
}

/** Loads once; a load that failed is tried again. */
const lazily = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loading: Promise<A> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** What cannot be loaded ahead is loaded, or fails, when it is needed. */
const warming = (load: () => Promise<unknown>) => () => void load().catch(() => undefined)

/** A signer that turns out to check nothing must not pass for one that does. */
const present = <A>(method: A | undefined): A => {
  if (method === undefined) throw new Error("The wallet's code lacks what is needed")
  return method
}

/** An EVM signer by its address; `authorization` is whether it can sign delegations. */
export const lazyEvm = (address: string, authorization: boolean, make: () => Promise<EvmSigner>): Lazy<EvmSigner> => {
  const load = lazily(make)
  const signer: EvmSigner = {
    address,
    capabilities: { authorization },
    verifyOperation: async (operation, abort) => present((await load()).verifyOperation)(operation, abort),
    signOperation: async (operation, abort) => (await load()).signOperation(operation, abort),
    ...(authorization && {
      signAuthorization: async (tuple, abort) => present((await load()).signAuthorization)(tuple, abort)
    })
  }
  return { signer, preload: warming(load) }
}

/** A Solana signer by its address. */
export const lazySolana = (address: string, make: () => Promise<SolanaSigner>): Lazy<SolanaSigner> => {
  const load = lazily(make)
  const signer: SolanaSigner = {
    address,
    verifyTransaction: async (transaction, abort) => present((await load()).verifyTransaction)(transaction, abort),
    signTransaction: async (transaction, abort) => (await load()).signTransaction(transaction, abort)
  }
  return { signer, preload: warming(load) }
}
